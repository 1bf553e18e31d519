"""A monitor as a service: its page, its metrics, its health, its log."""
