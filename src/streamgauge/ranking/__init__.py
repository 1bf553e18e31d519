"""Which learner is better over many streams: ranks, tests, critical differences."""
