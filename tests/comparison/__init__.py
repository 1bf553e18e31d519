"""Who is better: two learners, many learners."""
