"""What a configuration says to other tools: alert rules for Prometheus, a dashboard for Grafana."""
