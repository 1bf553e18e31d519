"""How often our sentences are false: `make calibration` writes docs/calibration.md.

`streamgauge._support.claims` lists the claims. Each module here has `cases()`, what is simulated
for the claims of one room. A trial draws a stream on which the claim is not true, and returns
whether it was made all the same; a trial of power draws one on which it is true.
"""
