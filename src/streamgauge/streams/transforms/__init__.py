"""Streams made from streams: drift, temporal injection, shuffling."""
