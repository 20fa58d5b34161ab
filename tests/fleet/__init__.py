"""Many machines: rows spread over servers, a server that is lost, networks that break."""
