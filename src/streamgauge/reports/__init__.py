"""HTML pages about finished and running studies."""
