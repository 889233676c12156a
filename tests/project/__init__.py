"""The project as a whole: its texts, its image, its catalogues and its rules."""
