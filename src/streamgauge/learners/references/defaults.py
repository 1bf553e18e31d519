"""The references that every run is compared with."""

from __future__ import annotations

from streamgauge.learners.references.last_value import LastValue
from streamgauge.learners.references.majority import Majority
from streamgauge.learners.references.mean import Mean
from streamgauge.learners.references.persistent import Persistent
from streamgauge.learners.references.transition import Transition

CLASSIFICATION = tuple(kind.as_reference for kind in (Majority, Persistent, Transition))
REGRESSION = tuple(kind.as_reference for kind in (Mean, LastValue))
