"""What a run is, how it is kept and how it is shown."""
