"""Make streams from other streams: drift, temporal injection, shuffling."""
