"""Reads the Arrow files that shardkit wrote, compares them, and writes files for shardkit (ArrowInteropTest).

arrow_check.py DIR reads DIR/shardkit.arrows (stream) and DIR/shardkit.arrow (file) and writes DIR/pyarrow.arrows and
DIR/pyarrow.arrow. All hold the same table. DIR/variables.arrows has variables of the CF conventions.
"""
import sys

import pyarrow as pa
import pyarrow.ipc as ipc

ROWS = 1000
BATCH = 170


def nanoseconds(i):
    return None if i % 7 == 0 else i * 1_000_000_007 - 500


def expected():
    rows = range(ROWS)
    columns = {
        "flag": pa.array([i % 3 == 0 for i in rows], pa.bool_()),
        "small": pa.array([i % 200 - 100 for i in rows], pa.int8()),
        "count": pa.array([2**64 - 1 - i for i in rows], pa.uint64()),
        "half": pa.array([float(i % 100) / 4 for i in rows], pa.float32()).cast(pa.float16()),
        "real": pa.array([i / 8 for i in rows], pa.float64()),
        "name": pa.array(["\u00e4" * (i % 3) + str(i) for i in rows], pa.string()),
        "blob": pa.array([bytes([i % 256] * (i % 4)) for i in rows], pa.binary()),
        "code": pa.array([bytes([i % 256, 1, 2]) for i in rows], pa.binary(3)),
        "time": pa.array([nanoseconds(i) for i in rows], pa.timestamp("ns", tz="UTC")),
        "span": pa.array([None if i % 5 == 0 else i for i in rows], pa.duration("ms")),
    }
    nullable = ("time", "span")
    fields = [pa.field(n, c.type, n in nullable, {"units": "u" + n}) for n, c in columns.items()]
    schema = pa.schema(fields, metadata={"title": "t"})
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


def check_variables(path):
    """Labels, physical values, and codes as a dictionary of their meanings."""
    with ipc.open_stream(path) as reader:
        found = reader.read_all()
    found.validate(full=True)
    assert found.column(0).num_chunks > 1, "expected several batches"
    march = 1_583_020_800  # 2020-03-01 in seconds
    hours = pa.array([(march + h * 3600) * 1_000_000 for h in (0, 7) for _ in range(3)], pa.int64())
    surface = pa.array(["sea", "land", None, "sea", "ice", "land"])
    expected = {
        "time": hours.cast(pa.timestamp("us")),
        "lat": pa.array([50.5, 40, 30] * 2, pa.float32()),
        "t": pa.array([5.0, 10, 15, 20, 25, None], pa.float64()),
        "surface": surface,
    }
    assert found.column_names == list(expected), found.schema
    assert found.schema.field("surface").type == pa.dictionary(pa.int32(), pa.string()), found.schema
    assert found.schema.field("t").metadata[b"units"] == b"K", found.schema
    for name, values in expected.items():
        column = found[name].combine_chunks()
        column = column.cast(pa.string()) if name == "surface" else column
        assert column.equals(values), f"{name}: expected {values}, found {column}"
    print(f"{path}: {found.num_rows} rows, as expected")


def main(folder):
    check_variables(f"{folder}/variables.arrows")
    table = expected()
    for name, opener in (("shardkit.arrows", ipc.open_stream), ("shardkit.arrow", ipc.open_file)):
        with opener(f"{folder}/{name}") as reader:
            found = reader.read_all()
        found.validate(full=True)
        assert found.schema.equals(table.schema, check_metadata=True), f"{name}: {found.schema}"
        assert found.equals(table), f"{name}: other values"
        print(f"{name}: {found.num_rows} rows in {found.column(0).num_chunks} batches, as expected")
    for name, maker in (("pyarrow.arrows", ipc.new_stream), ("pyarrow.arrow", ipc.new_file)):
        with maker(f"{folder}/{name}", table.schema) as writer:
            writer.write_table(table, max_chunksize=BATCH)


if __name__ == "__main__":
    main(sys.argv[1])
