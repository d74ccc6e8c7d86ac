"""Makes src/main/resources/dev/shardkit/cli/command/serve/tour/zarr-python: the array of the tour that zarr-python wrote.

Run with zarr-python 3.1.6 (pip install zarr==3.1.6 numpy). The values are those of RingPattern.java.
"""
import pathlib
import shutil

import numpy as np
import zarr
from zarr.codecs import BytesCodec, ShardingCodec, ZstdCodec

SIZE, SHARD, INNER_SHARD, INNER_CHUNK = 256, 256, 32, 16

out = pathlib.Path(__file__).parent.parent / "src/main/resources/dev/shardkit/cli/command/serve/tour/zarr-python"
shutil.rmtree(out, ignore_errors=True)

y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.int64)
r2 = (2 * y - SIZE) ** 2 + (2 * x - SIZE) ** 2
values = np.where(r2 < SIZE * SIZE, (r2 // SIZE * 7 + x) % 4096 + 1, 0).astype(np.uint16)

inner = ShardingCodec(chunk_shape=(INNER_CHUNK, INNER_CHUNK), codecs=[BytesCodec(), ZstdCodec(level=3)])
array = zarr.create_array(
    out, shape=values.shape, dtype=values.dtype, chunks=(SHARD, SHARD), fill_value=0, filters=None, compressors=None,
    serializer=ShardingCodec(chunk_shape=(INNER_SHARD, INNER_SHARD), codecs=[inner]), zarr_format=3)
array[:] = values
assert (zarr.open_array(out)[:] == values).all()
print(zarr.__version__, array.shape, sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()))
