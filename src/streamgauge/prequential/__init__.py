"""The prequential loop: label policies, protocols, the order of events, and re-evaluation."""
