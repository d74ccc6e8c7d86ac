// Draws a plane of an array from tiles that the server renders. Coordinates are elements of the finest level.
const TILE = 256;
const MOST_TILES = 300;
const COLOURS = ["gray", "viridis", "magma", "diverging", "labels"];
const byId = (id) => document.getElementById(id);
// A pointer's position in pixels of the canvas, which the page may show smaller.
const point = (e) => [e.offsetX, e.offsetY].map((n) => n * e.target.width / (e.target.clientWidth || e.target.width));
const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

const SHORT = { micrometer: "µm", nanometer: "nm", millimeter: "mm", centimeter: "cm", meter: "m", angstrom: "Å" };

const tell = (e) => { byId("message").textContent = e.message; };

const withUnits = (of) => of.value + (of.units === undefined ? "" : " " + of.units);

// The value of an element and the labels of its coordinates.
function elementText(facts) {
  return [...facts.value === undefined ? [] : ["value " + withUnits(facts)],
    ...(facts.labels ?? []).map((label) => label.name + " " + withUnits(label)),
    ...(facts.left_out ?? []).map((name) => "no label of " + name)].join(", ");
}

export class PlaneView {
  #levels = [];
  #labels = [];
  #facts = null;
  #tiles = new Map();
  #drag = null;
  #turn = 0;
  #wanted = "";
  #asks = false;

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
    byId("counts").addEventListener("change", () => this.#histogram());
  }

  // Shows the arrays of a pyramid, finest first. The image has axes, names of channels, and labels to lay over it.
  async open(levels, image) {
    const plain = (of) => of.map(({ path, node, up }) => ({ path, up, shape: node.shape, most: node.most_step }));
    this.#levels = plain(levels);
    const rank = this.#levels[0].shape.length;
    this.axes = image.axes;
    this.hasColours = image.hasColours;
    this.channels = image.channels;
    this.#labels = image.labels.map((label) => ({
      name: label.name,
      hasColours: label.hasColours,
      levels: plain(label.levels),
      // the dimension of the image that each dimension of the labels is
      dimensions: label.levels[0].node.shape.length === rank ? [...Array(rank).keys()]
        : label.axes.map((name) => image.axes.findIndex((axis) => axis.name === name)),
    }));
    this.overlay = this.#labels.length > 0 ? 0 : -1;
    this.x = rank - 1;
    this.y = Math.max(-1, rank - 2);
    this.at = new Array(rank).fill(0);
    this.colours = image.isLabel ? "labels" : "gray";
    this.level = -1;
    this.names = levels[0].node.metadata.dimension_names ?? this.axes.map((axis) => axis.name);
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
    if (this.#labels.length > 0) {
      const all = [-1, ...this.#labels.keys()];
      parts.push(this.#select("labels", all, all.map((l) => (l < 0 ? "none" : this.#labels[l].name)), this.overlay,
        (v) => { this.overlay = Number(v); this.draw(); }));
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
    value.textContent = this.#index(d);
    input.addEventListener("input", () => {
      this.at[d] = Number(input.value);
      value.textContent = this.#index(d);
      this.draw();
    });
    input.addEventListener("change", () => this.#statistics().catch(tell));
    label.append(this.#name(d) + " ", input, " ", value);
    return label;
  }

  // The index of a dimension that is not shown, with the name of the channel.
  #index(d) {
    const channel = this.names[d] === "c" ? this.channels[this.at[d]] : undefined;
    return this.at[d] + (channel ? " (" + channel + ")" : "");
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
    byId("statistics").textContent = facts.min === undefined ? "no finite values" + (facts.missing > 0 ? ", missing " + facts.missing : "")
      : "min " + facts.min + ", max " + facts.max + ", mean " + facts.mean.toPrecision(6) + share
        + (facts.not_finite > 0 ? ", not finite " + facts.not_finite : "")
        + (facts.missing > 0 ? ", missing " + facts.missing : "")
        + (facts.whole_plane ? "" : " (of " + facts.elements + " elements in the middle)");
    this.#facts = facts;
    this.#histogram();
  }

  #histogram() {
    const canvas = byId("histogram");
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const bins = this.#facts?.histogram ?? [];
    const isLinear = byId("counts").value === "linear";
    const length = isLinear ? (n) => n : Math.log1p;
    const most = Math.max(1, ...bins);
    pen.fillStyle = "#1d4ed8";
    bins.forEach((n, i) => {
      const height = Math.ceil(length(n) / length(most) * canvas.height);
      pen.fillRect(i * canvas.width / bins.length, canvas.height - height, canvas.width / bins.length - 1, height);
    });
    canvas.setAttribute("aria-label", "Histogram, counts " + byId("counts").value);
    byId("bins").textContent = bins.length === 0 ? "" : "values from " + this.#facts.min + " to "
      + this.#facts.max + ", up to " + most + " elements in a bar, counts " + byId("counts").value;
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
    this.#point(across, down);
    if (this.#drag !== null) {
      this.left -= (px - this.#drag[0]) / this.scale;
      this.top -= (py - this.#drag[1]) / this.scale;
      this.#drag = [px, py];
      this.draw();
    }
  }

  // Shows value, units and labels of the element under the pointer, if the array has them. One request at a time.
  async #point(across, down) {
    const at = this.at.map((n, d) => (d === this.x ? across : d === this.y ? down : n));
    this.#wanted = at.every((n, d) => n >= 0 && n < this.#levels[0].shape[d]) ? at.join(",") : "";
    if (this.#asks) {
      return;
    }
    this.#asks = true;
    try {
      for (let asked; asked !== this.#wanted;) {
        asked = this.#wanted;
        const answer = asked === "" ? undefined : await fetch("element/" + encoded(this.#levels[0].path) + "?at=" + asked);
        byId("element").textContent = answer?.ok ? elementText(await answer.json()) : "";
      }
    } catch {
      byId("element").textContent = ""; // the server has ended; the next tile says so
    } finally {
      this.#asks = false;
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

  // How many elements of the image's finest level one element of a layer's level is, in the plane.
  #ratio(layer, level) {
    const d = this.x < 0 ? this.y : this.x;
    return d < 0 ? 1 : this.#levels[0].shape[d] / layer.levels[level].shape[layer.dimensions.indexOf(d)];
  }

  // The coarsest level of a layer that still has an element for each pixel.
  #fittingLevel(layer) {
    let best = 0;
    layer.levels.forEach((level, i) => {
      if (this.#ratio(layer, i) <= 1 / this.scale) {
        best = i;
      }
    });
    return best;
  }

  draw() {
    const canvas = byId("plane");
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const image = { levels: this.#levels, dimensions: [...this.at.keys()], colours: this.colours,
      hasColours: this.hasColours };
    this.#draw(pen, image, this.level < 0 ? this.#fittingLevel(image) : this.level);
    const labels = this.#labels[this.overlay];
    const isInPlane = (d) => d < 0 || labels.dimensions.includes(d);
    if (labels !== undefined && isInPlane(this.x) && isInPlane(this.y)) {
      pen.globalAlpha = 0.5;
      this.#draw(pen, { ...labels, colours: "labels" }, this.#fittingLevel(labels));
      pen.globalAlpha = 1;
    }
    this.#scaleBar(pen);
  }

  #draw(pen, layer, level) {
    const canvas = pen.canvas;
    const { shape, most } = layer.levels[level];
    const factor = this.#ratio(layer, level);
    let step = 1;
    while (step < most && 2 * step * factor <= 1 / this.scale) {
      step *= 2;
    }
    const width = this.x < 0 ? 1 : shape[layer.dimensions.indexOf(this.x)];
    const height = this.y < 0 ? 1 : shape[layer.dimensions.indexOf(this.y)];
    const side = TILE * step;
    const first = (from) => Math.max(0, Math.floor(from / factor / side) * side);
    const right = Math.min(width, (this.left + canvas.width / this.scale) / factor);
    const bottom = Math.min(height, (this.top + canvas.height / this.scale) / factor);
    for (let top = first(this.top); top < bottom; top += side) {
      for (let left = first(this.left); left < right; left += side) {
        const tile = this.#tile(layer, level, left, top, step);
        if (tile.complete && tile.naturalWidth > 0) {
          const pixel = step * factor * this.scale;
          pen.drawImage(tile, (left * factor - this.left) * this.scale, (top * factor - this.top) * this.scale,
            tile.naturalWidth * pixel, tile.naturalHeight * pixel);
        }
      }
    }
  }

  // A round length along the axis across, if its pixel size has a unit.
  #scaleBar(pen) {
    const axis = this.axes[this.x];
    if (!(axis?.size > 0) || axis.unit === undefined) {
      return;
    }
    const canvas = pen.canvas;
    const most = 0.25 * canvas.width / this.scale * axis.size;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].map((n) => n * power).find((n) => n <= most);
    const width = length / axis.size * this.scale;
    const [left, top] = [canvas.width - width - 16, canvas.height - 22];
    const text = Number(length.toPrecision(3)) + " " + (SHORT[axis.unit] ?? String(axis.unit));
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillStyle = "#000";
    pen.fillRect(left - 1, top - 1, width + 2, 6);
    pen.fillStyle = "#fff";
    pen.fillRect(left, top, width, 4);
    pen.lineWidth = 3;
    pen.strokeStyle = "#000";
    pen.strokeText(text, left + width / 2, top - 6);
    pen.fillText(text, left + width / 2, top - 6);
    canvas.dataset.scaleBar = text;
  }

  // The part of a query that names the plane of a layer.
  #plane(layer, level) {
    const finest = this.#levels[0].shape;
    const at = layer.levels[level].shape.map((n, d) => {
      const own = layer.dimensions[d];
      return own < 0 ? 0 : Math.min(n - 1, Math.floor(this.at[own] * n / finest[own]));
    });
    return "x=" + layer.dimensions.indexOf(this.x) + "&y=" + layer.dimensions.indexOf(this.y) + "&at=" + at.join(",");
  }

  #tile(layer, level, left, top, step) {
    const source = "tile/" + encoded(layer.levels[level].path) + "?" + this.#plane(layer, level) + "&left=" + left
      + "&top=" + top + "&step=" + step + "&black=" + this.black + "&white=" + this.white
      + "&colours=" + layer.colours
      + (layer.hasColours && layer.colours === "labels" ? "&declared=" + layer.levels[level].up : "");
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
