"""Writes streams as ARFF files, the format that CapyMOA reads fastest."""

from __future__ import annotations

from pathlib import Path

import streamgauge as sg


def write_arff(stream: sg.Stream, path: Path) -> None:
    """Write the stream; nominal values keep the order of their codes, missing cells become `?`."""
    schema = stream.schema
    with path.open("w") as file:
        file.write("@relation stream\n\n")
        for j, values in enumerate(schema.values):
            kind = f"{{{','.join(map(_quoted, values))}}}" if values else "numeric"
            file.write(f"@attribute f{j} {kind}\n")
        classes = [_quoted(str(label)) for label in schema.classes]
        target = f"{{{','.join(classes)}}}" if classes else "numeric"
        file.write(f"@attribute class {target}\n\n@data\n")
        for block in stream.blocks(8192):
            for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True):
                cells = [
                    "?"
                    if value != value
                    else _quoted(values[int(value)])
                    if values
                    else repr(value)
                    for value, values in zip(x, schema.values, strict=True)
                ]
                file.write(",".join([*cells, classes[y] if classes else repr(y)]) + "\n")


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "\\'") + "'"
