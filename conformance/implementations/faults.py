"""Deliberate faults, for testing the suite. `BOXGATE_FAULT=NAME` starts an implementation with one of them.

`make_examples.py` makes `conformance/examples` without them. So a fault is a switch that can be taken out:
`wrong(NAME)` in a condition, `pick(RIGHT, FAULTY…)`, code under `if FAULT`, or a function `faulty_…` whose last argument
is the right value.
"""

import os
import shutil
import threading
from pathlib import Path
from typing import Any

FAULT = os.environ.pop('BOXGATE_FAULT', '')
# The request that a thread answers.
CLIENT = threading.local()
# First or earlier results, which a faulty implementation returns again.
KEPT: dict[Any, Any] = {}


def wrong(name: str) -> bool:
    """Whether this process was started with the fault of that name."""
    return name == FAULT


def keep_inside(folder: Path) -> None:
    """Lets no fault delete a folder that is not below this one: the suite may run as root."""
    delete = shutil.rmtree

    def guarded(path: Any, *options: Any, **named: Any) -> None:
        if folder.resolve() not in Path(path).resolve().parents:
            raise PermissionError(f'a fault would delete {path}')
        delete(path, *options, **named)

    shutil.rmtree = guarded


def pick(right: Any, *faulty: tuple[bool, Any]) -> Any:
    """The value of the active fault, or `right` if none of these is active."""
    return next((value for is_wrong, value in faulty if is_wrong), right)
