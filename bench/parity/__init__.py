"""Our learners beside CapyMOA's and River's on the same streams: `make parity`."""
