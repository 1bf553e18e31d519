"""One figure a file: a frame in, a chart out. Knows no run and no stream."""
