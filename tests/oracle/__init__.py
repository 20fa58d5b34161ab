"""A slow, plain reading of the evidence rule and of correction, to test the real timeline against."""
