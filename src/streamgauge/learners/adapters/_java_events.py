"""Run many events on a MOA learner in one call into Java.

A call from Python into Java costs more than many learners need for a row. So the loop over the
events runs in Java, composed of the JDK's method handles: functions that can be combined without
compiling any Java. The comment after a step gives its type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.types import Flags, Floats

_NO_VOTE = -np.inf  # the learner returned fewer votes than classes


class JavaFailed(Exception):  # noqa: N818 - it only locates another error
    """Java raised (`__cause__`) at this event; `votes` holds the predictions before it."""

    def __init__(self, event: int, votes: Floats) -> None:
        super().__init__(event)
        self.event, self.votes = event, votes


class JavaLoop:
    """Predicts and learns with a MOA learner; the header describes its rows."""

    def __init__(self, moa_learner: Any, header: Any, width: int) -> None:
        self._width = width  # votes per prediction
        self._loop = _compose(moa_learner, header, width)

    def __call__(self, rows: Floats, learns: Flags, weight: Floats) -> Floats:
        """Run events and return the votes of each, all NaN where there are none.

        The last value of a row is its label, NaN in a prediction.
        """
        from jpype import JArray, JDouble, JException, JInt, JObject

        votes = JArray(JDouble)(np.full(len(rows) * self._width, _NO_VOTE))
        event = JArray(JInt)(1)
        arrays = [event, JArray.of(learns == 1), JArray.of(weight), JArray.of(rows), votes]
        try:
            self._loop.invokeWithArguments(JArray(JObject)(arrays))
        except JException as error:
            raise JavaFailed(int(event[0]), self._decoded(votes)) from error
        return self._decoded(votes)

    def _decoded(self, votes: Any) -> Floats:
        decoded = np.array(votes, np.float64).reshape(-1, self._width)
        missing = decoded == _NO_VOTE
        decoded[missing] = 0.0
        decoded[missing.all(axis=1)] = np.nan
        return decoded


def _compose(moa_learner: Any, header: Any, width: int) -> Any:
    """loop(int[] event, boolean[] learns, double[] weight, double[][] rows, double[] votes)"""
    from jpype import JArray, JBoolean, JClass, JDouble, JInt

    handles = JClass("java.lang.invoke.MethodHandles")
    signature = JClass("java.lang.invoke.MethodType").methodType
    lookup = handles.publicLookup()
    void, whole, number, truth = (
        JClass(f"java.lang.{name}").TYPE for name in ("Void", "Integer", "Double", "Boolean")
    )
    thing = JClass("java.lang.Object").class_
    wholes, numbers, table, truths = (
        array.class_
        for array in (JArray(JInt), JArray(JDouble), JArray(JDouble, 2), JArray(JBoolean))
    )
    samoa = "com.yahoo.labs.samoa.instances"
    instance, dense, instances = (
        JClass(f"{samoa}.{name}").class_ for name in ("Instance", "DenseInstance", "Instances")
    )
    learner = JClass("moa.classifiers.AbstractClassifier").class_
    system, maths = JClass("java.lang.System").class_, JClass("java.lang.Math").class_

    # An instance of a row: new DenseInstance(weight[e], rows[e]) with its header.
    made = lookup.findConstructor(dense, signature(void, number, numbers))
    made = made.asType(signature(instance, number, numbers))
    set_header = lookup.findVirtual(instance, "setDataset", signature(void, instances))
    set_header = handles.insertArguments(set_header, 1, header)  # (instance) -> void
    with_header = handles.foldArguments(handles.identity(instance), set_header)  # -> instance
    made = handles.filterReturnValue(made, with_header)  # (weight, row) -> instance
    made = handles.collectArguments(made, 0, handles.arrayElementGetter(numbers))
    made = handles.collectArguments(made, 2, handles.arrayElementGetter(table))
    make = handles.permuteArguments(  # (weights, rows, e) -> instance
        made, signature(instance, numbers, table, whole), 0, 2, 1, 2
    )

    # Keeping the answer: System.arraycopy(answer, 0, votes, e * width, min(answer.length, width)).
    keep = lookup.findStatic(
        system, "arraycopy", signature(void, thing, whole, thing, whole, whole)
    )
    keep = handles.insertArguments(keep, 1, JInt(0))
    keep = keep.asType(signature(void, numbers, numbers, whole, whole))
    place = lookup.findStatic(maths, "multiplyExact", signature(whole, whole, whole))
    keep = handles.filterArguments(keep, 2, handles.insertArguments(place, 0, JInt(width)))
    shortest = lookup.findStatic(maths, "min", signature(whole, whole, whole))
    length = handles.insertArguments(shortest, 0, JInt(width))
    length = handles.filterArguments(length, 0, handles.arrayLength(numbers))
    keep = handles.filterArguments(keep, 3, length)
    keep = handles.permuteArguments(  # (answer, votes, e)
        keep, signature(void, numbers, numbers, whole), 0, 1, 2, 0
    )

    # One event: predict or learn.
    event = signature(void, whole, wholes, truths, numbers, table, numbers)
    ask = lookup.findVirtual(learner, "getVotesForInstance", signature(numbers, instance))
    ask = handles.filterArguments(keep, 0, ask.bindTo(moa_learner))  # (instance, votes, e)
    ask = handles.collectArguments(ask, 0, make)  # (weights, rows, e, votes, e)
    ask = handles.permuteArguments(ask, event, 3, 4, 0, 5, 0)
    learn = lookup.findVirtual(learner, "trainOnInstance", signature(void, instance))
    learn = handles.collectArguments(learn.bindTo(moa_learner), 0, make)  # (weights, rows, e)
    learn = handles.permuteArguments(learn, event, 3, 4, 0)
    is_update = handles.permuteArguments(  # (e, event, learns) -> boolean
        handles.arrayElementGetter(truths), signature(truth, whole, wholes, truths), 2, 0
    )
    step = handles.guardWithTest(is_update, learn, ask)

    # All events; event[0] is the current one, in case it fails.
    mark = handles.insertArguments(handles.arrayElementSetter(wholes), 1, JInt(0))
    mark = handles.permuteArguments(mark, signature(void, whole, wholes), 1, 0)
    count = handles.dropArguments(handles.arrayLength(truths), 0, wholes)
    return handles.countedLoop(count, None, handles.foldArguments(step, mark))
