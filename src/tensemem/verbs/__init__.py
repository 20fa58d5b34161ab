"""The verbs of a memory, once for each way of calling them; scoped and async forms are generated from the plain one."""
