"""Tests of gama2013 run again."""
