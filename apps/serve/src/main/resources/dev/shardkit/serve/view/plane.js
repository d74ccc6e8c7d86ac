// Draws a plane of an array from tiles that the server renders. Coordinates are elements of the finest level.
const TILE = 256;
const MOST_TILES = 300;
const COLOURS = ["gray", "viridis", "magma", "diverging", "labels"];
const byId = (id) => document.getElementById(id);
// A pointer's position in pixels of the canvas, which the page may show smaller.
const point = (e) => [e.offsetX, e.offsetY].map((n) => n * e.target.width / (e.target.clientWidth || e.target.width));
const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

const tell = (e) => { byId("message").textContent = e.message; };

export class PlaneView {
  #levels = [];
  #tiles = new Map();
  #drag = null;
  #turn = 0;

  constructor() {
    const canvas = byId("plane");
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.#zoom(e.deltaY < 0 ? 1.25 : 0.8, ...point(e));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (e) => {
      this.#drag = point(e);
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointerup", () => { this.#drag = null; });
    canvas.addEventListener("pointermove", (e) => this.#move(e));
    canvas.addEventListener("keydown", (e) => this.#key(e));
  }

  // Shows the arrays of a pyramid, finest first.
  async open(levels) {
    this.#levels = levels.map(({ path, node }) => ({ path, shape: node.shape, most: node.most_step }));
    const rank = this.#levels[0].shape.length;
    this.x = rank - 1;
    this.y = Math.max(-1, rank - 2);
    this.at = new Array(rank).fill(0);
    this.colours = "gray";
    this.level = -1;
    this.names = levels[0].node.metadata.dimension_names ?? [];
    this.#controls();
    this.#fit();
    await this.#contrast();
  }

  // The part of a query that names the plane.
  query(level = 0) {
    const { path, shape } = this.#levels[level];
    const finest = this.#levels[0].shape;
    const at = this.at.map((n, d) => Math.min(shape[d] - 1, Math.floor(n * shape[d] / finest[d])));
    return { path: encoded(path), plane: "x=" + this.x + "&y=" + this.y + "&at=" + at.join(",") };
  }

  #name(d) {
    return d < 0 ? "none" : d + (this.names[d] ? " " + this.names[d] : "");
  }

  #select(label, values, names, value, change) {
    const outer = document.createElement("label");
    const select = document.createElement("select");
    values.forEach((v, i) => select.append(new Option(names[i], v, false, v === value)));
    select.addEventListener("change", () => change(select.value));
    outer.append(label + " ", select);
    return outer;
  }

  #controls() {
    const rank = this.at.length;
    const dimensions = rank === 0 ? [-1] : [...Array(rank).keys()];
    const names = dimensions.map((d) => this.#name(d));
    const levels = [-1, ...this.#levels.keys()];
    const parts = [
      this.#select("across", dimensions, names, this.x, (v) => this.#choose("x", Number(v)).catch(tell)),
      this.#select("down", [-1, ...dimensions.filter((d) => d >= 0)], ["none", ...names.filter((n) => n !== "none")],
        this.y, (v) => this.#choose("y", Number(v)).catch(tell)),
      this.#select("colours", COLOURS, COLOURS, this.colours, (v) => { this.colours = v; this.draw(); }),
    ];
    if (this.#levels.length > 1) {
      parts.push(this.#select("level", levels, levels.map((l) => (l < 0 ? "by zoom" : String(l))), this.level,
        (v) => { this.level = Number(v); this.draw(); }));
    }
    for (const end of ["black", "white"]) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.type = "number";
      input.step = "any";
      input.id = end;
      input.addEventListener("change", () => { this[end] = Number(input.value); this.draw(); });
      label.append(end + " ", input);
      parts.push(label);
    }
    byId("controls").replaceChildren(...parts);
    byId("sliders").replaceChildren(...this.at.map((n, d) => this.#slider(d))
      .filter((slider, d) => d !== this.x && d !== this.y));
  }

  #slider(d) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    const value = document.createElement("output");
    input.type = "range";
    input.max = this.#levels[0].shape[d] - 1;
    input.value = this.at[d];
    value.textContent = this.at[d];
    input.addEventListener("input", () => {
      this.at[d] = Number(input.value);
      value.textContent = input.value;
      this.draw();
    });
    input.addEventListener("change", () => this.#statistics().catch(tell));
    label.append(this.#name(d) + " ", input, " ", value);
    return label;
  }

  async #choose(axis, d) {
    const other = axis === "x" ? "y" : "x";
    if (this[other] === d && d >= 0) {
      this[other] = this[axis];
    }
    this[axis] = d;
    this.#controls();
    this.#fit();
    await this.#contrast();
  }

  #size() {
    const shape = this.#levels[0].shape;
    return [this.x < 0 ? 1 : shape[this.x], this.y < 0 ? 1 : shape[this.y]];
  }

  #fit() {
    const canvas = byId("plane");
    const [width, height] = this.#size();
    this.scale = this.#bounded(Math.min(canvas.width / width, canvas.height / height));
    this.left = (width - canvas.width / this.scale) / 2;
    this.top = (height - canvas.height / this.scale) / 2;
  }

  #factor(level) {
    const d = this.x < 0 ? this.y : this.x;
    return d < 0 ? 1 : this.#levels[0].shape[d] / this.#levels[level].shape[d];
  }

  // Not so small that a tile would read more than the server allows.
  #bounded(scale) {
    const last = this.#levels.length - 1;
    return Math.min(64, Math.max(1 / (2 * this.#factor(last) * this.#levels[last].most), scale));
  }

  async #statistics() {
    const turn = ++this.#turn;
    const { path, plane } = this.query(this.#levels.length - 1);
    const answer = await fetch("statistics/" + path + "?" + plane);
    if (!answer.ok) {
      throw new Error((await answer.text()).trim());
    }
    const facts = await answer.json();
    if (turn === this.#turn) {
      this.#show(facts);
    }
    return facts;
  }

  async #contrast() {
    const facts = await this.#statistics();
    this.black = facts.min ?? 0;
    this.white = facts.max ?? 1;
    byId("black").value = this.black;
    byId("white").value = this.white;
    this.draw();
  }

  #show(facts) {
    const share = facts.fill_share === undefined ? "" : ", fill value " + (100 * facts.fill_share).toFixed(1) + " %";
    byId("statistics").textContent = facts.min === undefined ? "no finite values"
      : "min " + facts.min + ", max " + facts.max + ", mean " + facts.mean.toPrecision(6) + share
        + (facts.not_finite > 0 ? ", not finite " + facts.not_finite : "")
        + (facts.whole_plane ? "" : " (of " + facts.elements + " elements in the middle)");
    const canvas = byId("histogram");
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const bins = facts.histogram ?? [];
    const most = Math.max(1, ...bins);
    pen.fillStyle = "#1d4ed8";
    bins.forEach((n, i) => {
      const height = Math.ceil(Math.log1p(n) / Math.log1p(most) * canvas.height);
      pen.fillRect(i * canvas.width / bins.length, canvas.height - height, canvas.width / bins.length - 1, height);
    });
  }

  #zoom(by, px, py) {
    const next = this.#bounded(this.scale * by);
    this.left += px / this.scale - px / next;
    this.top += py / this.scale - py / next;
    this.scale = next;
    this.draw();
  }

  #move(e) {
    const [px, py] = point(e);
    const across = Math.floor(this.left + px / this.scale);
    const down = Math.floor(this.top + py / this.scale);
    byId("position").textContent = this.#name(this.x) + ": " + across + ", " + this.#name(this.y) + ": " + down;
    if (this.#drag !== null) {
      this.left -= (px - this.#drag[0]) / this.scale;
      this.top -= (py - this.#drag[1]) / this.scale;
      this.#drag = [px, py];
      this.draw();
    }
  }

  #key(e) {
    const canvas = byId("plane");
    const step = 64 / this.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (e.key === "+" || e.key === "-") {
      this.#zoom(e.key === "+" ? 1.25 : 0.8, canvas.width / 2, canvas.height / 2);
    } else if (moves[e.key]) {
      e.preventDefault();
      this.left += moves[e.key][0];
      this.top += moves[e.key][1];
      this.draw();
    }
  }

  // The coarsest level that still has an element for each pixel.
  #fittingLevel() {
    let best = 0;
    this.#levels.forEach((level, i) => {
      if (this.#factor(i) <= 1 / this.scale) {
        best = i;
      }
    });
    return this.level < 0 ? best : this.level;
  }

  draw() {
    const canvas = byId("plane");
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const level = this.#fittingLevel();
    const { shape, most } = this.#levels[level];
    const factor = this.#factor(level);
    let step = 1;
    while (step < most && 2 * step * factor <= 1 / this.scale) {
      step *= 2;
    }
    const width = this.x < 0 ? 1 : shape[this.x];
    const height = this.y < 0 ? 1 : shape[this.y];
    const side = TILE * step;
    const first = (from) => Math.max(0, Math.floor(from / factor / side) * side);
    const right = Math.min(width, (this.left + canvas.width / this.scale) / factor);
    const bottom = Math.min(height, (this.top + canvas.height / this.scale) / factor);
    for (let top = first(this.top); top < bottom; top += side) {
      for (let left = first(this.left); left < right; left += side) {
        const tile = this.#tile(level, left, top, step);
        if (tile.complete && tile.naturalWidth > 0) {
          const pixel = step * factor * this.scale;
          pen.drawImage(tile, (left * factor - this.left) * this.scale, (top * factor - this.top) * this.scale,
            tile.naturalWidth * pixel, tile.naturalHeight * pixel);
        }
      }
    }
  }

  #tile(level, left, top, step) {
    const { path, plane } = this.query(level);
    const source = "tile/" + path + "?" + plane + "&left=" + left + "&top=" + top + "&step=" + step
      + "&black=" + this.black + "&white=" + this.white + "&colours=" + this.colours;
    let tile = this.#tiles.get(source);
    if (tile === undefined) {
      tile = new Image();
      tile.addEventListener("load", () => this.draw());
      tile.src = source;
    }
    this.#tiles.delete(source); // the latest use comes last
    this.#tiles.set(source, tile);
    if (this.#tiles.size > MOST_TILES) {
      this.#tiles.delete(this.#tiles.keys().next().value);
    }
    return tile;
  }
}
