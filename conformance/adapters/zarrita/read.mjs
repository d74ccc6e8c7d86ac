// zarrita as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md).
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { FileSystemStore } from "@zarrita/storage";
import * as zarr from "zarrita";

const SETTERS = {
  bool: [1, "setUint8", Number], int8: [1, "setInt8"], uint8: [1, "setUint8"],
  int16: [2, "setInt16"], uint16: [2, "setUint16"], int32: [4, "setInt32"], uint32: [4, "setUint32"],
  int64: [8, "setBigInt64"], uint64: [8, "setBigUint64"], float32: [4, "setFloat32"], float64: [8, "setFloat64"],
};

function bits(data) { // floats as their bit patterns: a number of JavaScript loses the payload of a NaN
  const Type = { Float32Array: Uint32Array, Float64Array: BigUint64Array }[data.constructor.name];
  return Type ? new Type(data.buffer, data.byteOffset, data.length) : data;
}

function* elements({ data, shape, stride }) { // in C order, whatever the strides
  const count = shape.reduce((a, b) => a * b, 1);
  for (let k = 0; k < count; k++) {
    let rest = k, at = 0;
    for (let d = shape.length - 1; d >= 0; d--) {
      at += (rest % shape[d]) * stride[d];
      rest = Math.floor(rest / shape[d]);
    }
    yield typeof data.get === "function" ? data.get(at) : data[at];
  }
}

async function read({ path, url, out, selection }) {
  const store = url ? new zarr.FetchStore(url) : new FileSystemStore(path);
  const array = await zarr.open(zarr.root(store), { kind: "array" });
  const got = await zarr.get(array, selection ? selection.map((s) => zarr.slice(...s)) : null);
  const scalar = array.shape.length === 0 && !(got && typeof got === "object" && "data" in got);
  const region = scalar ? { data: [got], shape: [], stride: [] } : got;
  const data = bits(region.data);
  const values = [...elements({ ...region, data })];
  if (array.dtype in SETTERS) {
    const [width, setter, value = (x) => x] = SETTERS[data === region.data ? array.dtype : `uint${data.BYTES_PER_ELEMENT * 8}`];
    const view = new DataView(new ArrayBuffer(values.length * width));
    values.forEach((x, i) => view[setter](i * width, value(x), true));
    writeFileSync(out, Buffer.from(view.buffer));
  } else if (values.every((x) => typeof x === "string")) {
    writeFileSync(out, JSON.stringify({ encoding: "utf8", shape: region.shape, values }));
  } else {
    throw new Error(`no way to write values of ${array.dtype}`);
  }
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const { version } = JSON.parse(readFileSync(new URL("node_modules/zarrita/package.json", import.meta.url)));
say({ protocol: 1, tool: "zarrita", version });
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  try {
    await read(question);
    say({ id: question.id, out: question.out });
  } catch (e) {
    say({ id: question.id, error: { kind: "other", message: String(e) } });
  }
}
