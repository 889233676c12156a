"""Faces of Memora: each folder translates one platform to and from the core."""
