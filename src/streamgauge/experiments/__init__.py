"""Many runs: grids of streams, learners, label policies and seeds, run so that nothing is lost."""
