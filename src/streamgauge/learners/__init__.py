"""What is judged: learners, one a file with its kernels, and adapters to those of others."""
