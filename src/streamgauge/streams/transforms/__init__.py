"""Streams made from other streams: drift, temporal injection, shuffling."""
