"""File formats: from bytes on disk to blocks of one schema."""
