"""Tests of bifet2013 run again."""
