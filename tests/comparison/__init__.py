"""Who is better: two learners on one stream."""
