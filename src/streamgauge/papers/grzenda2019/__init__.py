"""grzenda2019: accuracy while labels are awaited, Tables 1 and 2 and Figures 3 to 14."""
