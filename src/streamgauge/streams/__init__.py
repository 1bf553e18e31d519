"""Where rows come from: files, frames, generators, and the catalog of named data sets."""
