"""The tests of tensemem."""
