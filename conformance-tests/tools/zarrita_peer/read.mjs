// node read.mjs PATH OUT [SELECTION]: reads the array in folder PATH (or a box of it, `0:4,2:9`) with zarrita and
// writes its values to OUT by the contract of docs/conformance.md.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { FileSystemStore } from "@zarrita/storage";
import * as zarr from "zarrita";

const WRITERS = {
  bool: (v, i, x) => v.setUint8(i, x ? 1 : 0), int8: (v, i, x) => v.setInt8(i, x), uint8: (v, i, x) => v.setUint8(i, x),
  int16: (v, i, x) => v.setInt16(2 * i, x, true), uint16: (v, i, x) => v.setUint16(2 * i, x, true),
  int32: (v, i, x) => v.setInt32(4 * i, x, true), uint32: (v, i, x) => v.setUint32(4 * i, x, true),
  int64: (v, i, x) => v.setBigInt64(8 * i, x, true), uint64: (v, i, x) => v.setBigUint64(8 * i, x, true),
  float32: (v, i, x) => v.setFloat32(4 * i, x, true), float64: (v, i, x) => v.setFloat64(8 * i, x, true),
};
const WIDTH = {
  bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4, int64: 8, uint64: 8, float64: 8,
};

const [path, out, box] = process.argv.slice(2);
const array = await zarr.open(zarr.root(new FileSystemStore(resolve(path))), { kind: "array" });
const selection = box ? box.split(",").map((item) => zarr.slice(...item.split(":").map(Number))) : null;
const got = await zarr.get(array, selection);
const scalar = array.shape.length === 0 && !(got && typeof got === "object" && "data" in got);
const { data, shape, stride } = scalar ? { data: [got], shape: [], stride: [] } : got;
const at = (k) => (typeof data.get === "function" ? data.get(k) : data[k]);

function* elements() {                       // in C order, whatever the strides
  const count = shape.reduce((a, b) => a * b, 1);
  for (let k = 0; k < count; k++) {
    let rest = k, offset = 0;
    for (let d = shape.length - 1; d >= 0; d--) {
      offset += (rest % shape[d]) * stride[d];
      rest = Math.floor(rest / shape[d]);
    }
    yield at(offset);
  }
}

const values = [...elements()];
const type = String(array.dtype);
if (WRITERS[type]) {
  const view = new DataView(new ArrayBuffer(values.length * WIDTH[type]));
  values.forEach((x, i) => WRITERS[type](view, i, x));
  writeFileSync(out, Buffer.from(view.buffer));
} else if (values.every((x) => typeof x === "string")) {
  writeFileSync(out, JSON.stringify({ encoding: "utf8", shape, values }));
} else {
  throw new Error(`no way to write values of ${type}`);
}
