"""zliobaite2015: evaluation and decision theory for streams with temporal dependence."""
