"""The main job: a stream and learners in, runs out; or predictions made elsewhere in, a run out."""
