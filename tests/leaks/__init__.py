"""What is made and dropped thousands of times leaves nothing behind: memory, files, mappings, communicators."""
