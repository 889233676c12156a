"""What people see, independent of the platform that draws it."""
