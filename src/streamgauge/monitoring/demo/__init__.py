"""The demo of a monitor: a log with late labels, replayed much faster than it happened."""
