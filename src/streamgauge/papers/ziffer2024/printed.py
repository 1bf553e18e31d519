"""What ziffer2024 prints: Tables I, II and III. Never ours; shown beside ours."""

from __future__ import annotations

LEARNERS = ("HAT", "ARF", "SWT HAT", "SWT ARF", "cLSTM")
NO_CHANGE = "No-Change"

# P(M) and P(T) of the stream, and of the stream with temporal injection.
TABLE_I: dict[str, tuple[float, ...]] = {
    "SEA": (0.64, 0.56, 0.73, 0.81),
    "STAGGER": (0.64, 0.54, 0.71, 0.79),
    "Sine1": (0.50, 0.50, 0.51, 0.75),
    "Sine2": (0.50, 0.51, 0.51, 0.76),
    "Hyperplane": (0.51, 0.51, 0.50, 0.75),
    "RBF": (0.51, 0.50, 0.51, 0.74),
    "Agrawal": (0.50, 0.53, 0.51, 0.79),
    "Elec2": (0.58, 0.85),
    "Insects": (0.51, 0.50, 0.50, 0.73),
    "PowerSupply": (0.04, 0.0),
    "Rialto": (0.10, 0.0),
    "Weather": (0.68, 0.70),
}

# Kappa in per cent of LEARNERS and No-Change: (stream, drift, injected).
TABLE_II: dict[tuple[str, str, bool], tuple[float, ...]] = {
    ("SEA", "abrupt", False): (84.59, 96.77, 83.19, 92.94, 94.02, -0.92),
    ("SEA", "gradual", False): (83.04, 95.08, 78.5, 91.86, 92.44, -0.48),
    ("STAGGER", "abrupt", False): (96.22, 97.86, 98.24, 99.76, 99.21, -0.45),
    ("STAGGER", "gradual", False): (93.37, 95.58, 96.36, 97.34, 96.83, -0.42),
    ("Sine1", "abrupt", False): (94.73, 96.25, 94.36, 92.9, 92.61, -0.99),
    ("Sine1", "gradual", False): (83.79, 84.51, 83.28, 81.34, 83.04, -0.47),
    ("Sine2", "abrupt", False): (83.04, 90.87, 82.43, 86.87, 83.69, -0.24),
    ("Sine2", "gradual", False): (70.37, 79.3, 70.18, 78.69, 73.55, -0.5),
    ("Hyperplane", "abrupt", False): (79.75, 71.84, 78.19, 70.28, 84.09, -0.29),
    ("Hyperplane", "gradual", False): (78.23, 71.31, 77.94, 70.16, 83.01, -0.78),
    ("RBF", "abrupt", False): (75.39, 87.41, 75.46, 86.74, 88.54, -0.49),
    ("RBF", "gradual", False): (72.87, 85.21, 74.92, 83.71, 84.21, -0.53),
    ("Agrawal", "abrupt", False): (72.9, 69.01, 68.73, 61.36, 71.88, -0.9),
    ("Agrawal", "gradual", False): (57.32, 54.69, 51.33, 50.5, 56.34, -0.85),
    ("SEA", "abrupt", True): (29.48, 32.04, 41.99, 46.34, 80.61, 47.36),
    ("SEA", "gradual", True): (28.98, 32.0, 42.91, 46.52, 74.56, 47.53),
    ("STAGGER", "abrupt", True): (43.84, 43.82, 46.66, 46.34, 85.89, 48.37),
    ("STAGGER", "gradual", True): (42.24, 43.31, 45.58, 45.65, 78.76, 47.82),
    ("Sine1", "abrupt", True): (41.79, 41.01, 48.49, 47.25, 75.38, 48.77),
    ("Sine1", "gradual", True): (37.07, 36.55, 47.84, 46.9, 69.35, 49.26),
    ("Sine2", "abrupt", True): (31.87, 36.03, 46.34, 47.45, 64.59, 49.19),
    ("Sine2", "gradual", True): (28.24, 31.91, 46.68, 47.7, 62.1, 48.98),
    ("Hyperplane", "abrupt", True): (34.16, 27.99, 46.98, 47.92, 66.59, 46.59),
    ("Hyperplane", "gradual", True): (34.5, 28.19, 47.81, 51.58, 58.73, 45.84),
    ("RBF", "abrupt", True): (34.13, 39.79, 44.95, 48.16, 58.32, 49.16),
    ("RBF", "gradual", True): (26.43, 28.76, 45.6, 43.28, 56.01, 47.86),
    ("Agrawal", "abrupt", True): (19.59, 12.85, 42.96, 37.47, 53.05, 48.05),
    ("Agrawal", "gradual", True): (15.64, 10.95, 44.25, 36.7, 51.05, 49.19),
}

# Kappa in per cent of LEARNERS.
TABLE_III: dict[str, tuple[float, ...]] = {
    "Elec2": (60.9, 73.8, 66.3, 75.1, 68.6),
    "Insects": (45.6, 58.3, 42.2, 50.8, 52.0),
    "Insects_temp": (33.7, 40.9, 43.1, 46.6, 75.3),
    "PowerSupply": (12.5, 11.2, 14.0, 67.7, 78.7),
    "Rialto": (23.4, 71.3, 25.8, 92.6, 90.2),
    "Weather": (29.7, 30.2, 27.3, 26.4, 42.2),
}
