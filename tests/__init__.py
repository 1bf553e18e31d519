"""The tests, in the order of the source tree; oracles/ holds slow obvious versions."""
