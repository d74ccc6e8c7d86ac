// A heat map of the chunks or shards that the plane meets.
const byId = (id) => document.getElementById(id);
const MEASURES = {
  "stored inner chunks": (e) => (e.inner_chunks === undefined ? Number(e.size > 0) : e.inner_chunks_stored / e.inner_chunks),
  "size": (e) => e.size,
  "ratio": (e) => (e.size > 0 ? e.raw / e.size : 0),
  "unused bytes": (e) => e.unused ?? 0,
};

export class StorageView {
  #query;
  #map = null;

  constructor(query) {
    this.#query = query;
    byId("measure").append(...Object.keys(MEASURES).map((name) => new Option(name, name)));
    byId("measure").addEventListener("change", () => this.#draw());
    byId("load").addEventListener("click", () => this.#load());
    byId("storage").addEventListener("pointermove", (e) => this.#tell(e));
  }

  clear() {
    this.#map = null;
    byId("storage").height = 0;
    byId("cell").textContent = "";
  }

  async #load() {
    this.clear();
    const { path, plane } = this.#query();
    const answer = await fetch("storage/" + path + "?" + plane);
    if (!answer.ok) {
      byId("cell").textContent = (await answer.text()).trim();
      return;
    }
    this.#map = await answer.json();
    this.#draw();
  }

  #side() {
    return Math.max(1, Math.min(32, Math.floor(512 / Math.max(this.#map.columns, 1))));
  }

  #draw() {
    if (this.#map === null) {
      return;
    }
    const canvas = byId("storage");
    const side = this.#side();
    canvas.width = Math.max(64, this.#map.columns * side);
    canvas.height = this.#map.rows * side;
    const pen = canvas.getContext("2d");
    const values = this.#map.entries.map(MEASURES[byId("measure").value]);
    const most = Math.max(...values, Number.MIN_VALUE);
    values.forEach((value, i) => {
      const light = 92 - 62 * value / most;
      pen.fillStyle = this.#map.entries[i].size > 0 ? "hsl(220 80% " + light + "%)" : "#fff";
      pen.fillRect(i % this.#map.columns * side, Math.floor(i / this.#map.columns) * side, side - 1, side - 1);
    });
    const total = (name) => this.#map.entries.reduce((sum, e) => sum + (e[name] ?? 0), 0);
    byId("cell").textContent = this.#map.entries.length + (this.#map.sharded ? " shards, " : " chunks, ")
      + this.#map.entries.filter((e) => e.size > 0).length + " stored, " + total("size") + " bytes, raw " + total("raw")
      + ", unused " + total("unused");
  }

  #tell(event) {
    if (this.#map === null) {
      return;
    }
    const side = this.#side();
    const column = Math.floor(event.offsetX / side);
    const entry = column < this.#map.columns
      ? this.#map.entries[Math.floor(event.offsetY / side) * this.#map.columns + column] : undefined;
    if (entry !== undefined) {
      byId("cell").textContent = "[" + entry.cell.join(", ") + "] " + entry.key + ": "
        + (entry.size === 0 ? "not stored" : entry.size + " bytes, raw " + entry.raw)
        + (entry.inner_chunks === undefined || entry.size === 0 ? ""
          : ", inner chunks " + entry.inner_chunks_stored + " of " + entry.inner_chunks + ", unused " + entry.unused);
    }
  }
}
