"""What a type checker of somebody who uses the library sees."""
