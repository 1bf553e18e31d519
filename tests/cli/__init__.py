"""The command line: verbs, exit codes, messages, start-up."""
