"""What every store promises, one test for each promise and every store."""
