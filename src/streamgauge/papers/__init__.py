"""Published experiments run again, one folder per paper."""
