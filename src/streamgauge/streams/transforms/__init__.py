"""Streams made from other streams: splicing, temporal injection, shuffling."""
