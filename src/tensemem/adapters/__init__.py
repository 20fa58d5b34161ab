"""What speaks to the outside: each module or folder here is a stranger to the others and calls the verbs of Memory."""
