"""gama2013's Tables 2 and 3 again: delays of Page–Hinkley on error estimates and on their ratio."""
