"""Tests of zliobaite2015 run again."""
