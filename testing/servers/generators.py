"""The scripts beside the examples that make what their servers serve, as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def generator(path: Path) -> ModuleType:
    """The module in this file; the file stands in no package, for its user may copy the example's folder away."""
    if path.stem not in sys.modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        # Dataclasses look their module up while it is being executed.
        sys.modules[path.stem] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[path.stem]
