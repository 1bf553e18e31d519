"""The canonical text of values, arrays and tensors; of long ones there is a hash."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np

_LONGEST = 200  # characters
_FEW = 10  # numbers that are shown


def integer_text(number: int) -> str:
    """Any integer; Python refuses to write very long ones in decimal."""
    return hex(number) if number.bit_length() > _LONGEST else repr(number)


def short_text(text: str) -> str:
    """The text, or its beginning and a hash."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:20]}… <sha256 {sha256(text.encode(errors='surrogatepass'))}>"


def array_text(array: np.ndarray[Any, Any]) -> str:
    """An array without objects: its values, type and shape."""
    content = np.ascontiguousarray(array).tobytes()
    shown = repr(array.tolist()) if array.size <= _FEW else f"<sha256 {sha256(content)}>"
    kind = array.dtype.str if array.dtype.names is None else array.dtype.descr
    return f"array({shown}, {kind}, {array.shape})"


def tensor_text(tensor: Any) -> str:
    """PyTorch's tensor: its values, bit by bit, since NumPy lacks some of its types."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    content = flat.view(flat.new_empty(0).byte().dtype).numpy().tobytes()
    shown = f"{tensor.dtype}, {tuple(tensor.shape)}, {tensor.requires_grad}"
    return f"tensor(<sha256 {sha256(content)}>, {shown})"


def sha256(content: bytes) -> str:
    """The hash as text."""
    return hashlib.sha256(content).hexdigest()


def class_name(kind: type) -> str:
    """The name of a class and its module."""
    home = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{home}{kind.__qualname__}"


def attribute(thing: Any, name: str) -> Any:
    """An attribute; None if there is none."""
    try:
        return getattr(thing, name, None)
    except Exception:  # a property may raise anything
        return None


def without_addresses(text: str) -> str:
    """A repr without addresses, which differ in every process, in one line."""
    return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-fA-F]+", "", text)).strip()
