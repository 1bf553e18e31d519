"""Who is better: two learners over one stream, many learners over many streams."""
