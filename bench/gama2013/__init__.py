"""Tables 2 and 3 of gama2013 reproduced: delays of Page–Hinkley on error estimates and ratios."""
