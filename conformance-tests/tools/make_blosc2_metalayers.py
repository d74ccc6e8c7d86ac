"""An array of Blosc2 with metalayers of a program. make_blosc2_metalayers.py OUT.b2nd. Needs foreign-requirements.txt."""

import sys

import blosc2
import numpy as np

array = blosc2.asarray(np.arange(4, dtype="i4"), urlpath=sys.argv[1], mode="w", meta={"mine": {"a": 1}})
array.schunk.vlmeta["unit"] = "m"
