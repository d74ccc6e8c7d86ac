"""The versions of the Python peers: those that requirements.txt pins, and those that are installed."""

from __future__ import annotations

import os
import platform
from importlib import metadata

import lab

PEERS = ("zarr", "zarrs", "tensorstore", "acquire-zarr", "obstore", "numcodecs", "numpy")


def pinned():
    with open(os.path.join(lab.LAB, "requirements.txt")) as f:
        return dict(line.strip().split("==") for line in f if line.strip() and not line.startswith("#"))


def installed():
    """What is installed for this Python, the peers and what they decode with."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PEERS}}


def _version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


def show():
    """Prints the versions, and marks those that differ from the pinned ones."""
    pins = pinned()
    for name, version in installed().items():
        wanted = pins.get(name, version)
        print(f"{name} {version}" + ("" if version == wanted else f" (requirements.txt has {wanted})"), end="; ")
    print(flush=True)
