"""gama2013: estimators of the error, comparisons along the stream, drift detection."""
