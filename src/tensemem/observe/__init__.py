"""What watches a memory in production: metrics for Prometheus, spans and metrics for OpenTelemetry."""
