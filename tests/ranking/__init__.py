"""Who is better: many learners over many streams."""
