// The tree of the store and the facts of the chosen node. Names from the store reach the page as text only.
import { PlaneView } from "./plane.js";
import { StorageView } from "./storage.js";

const byId = (id) => document.getElementById(id);
const view = new PlaneView();
const storage = new StorageView(() => view.query());
let chosen = 0;

export function address(kind, path) {
  return kind + "/" + path.split("/").map(encodeURIComponent).join("/");
}

async function facts(path) {
  const answer = await fetch(address("node", path));
  if (!answer.ok) {
    throw new Error((await answer.text()).trim());
  }
  return answer.json();
}

const join = (path, name) => (path === "" ? name : path + "/" + name);

// An array, a group, an image (a group with OME-Zarr metadata), or a folder without metadata.
function mark(button, kind) {
  button.dataset.kind = kind;
  button.title = kind;
}

function ofNode(node) {
  return node.type === "group" && multiscale(node) !== undefined ? "image" : node.type;
}

async function markChildren(path, buttons) {
  const answer = await fetch(address("kinds", path));
  if (answer.ok) {
    const kinds = await answer.json();
    buttons.filter((button) => kinds[button.textContent] !== undefined)
      .forEach((button) => mark(button, kinds[button.textContent]));
  }
}

function item(path, name) {
  const li = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.dataset.path = path;
  button.addEventListener("click", () => choose(path, li));
  li.append(button);
  return li;
}

function showChildren(li, path, children) {
  li.querySelector("ul")?.remove();
  if (children.length > 0) {
    const ul = document.createElement("ul");
    ul.append(...children.map((name) => item(join(path, name), name)));
    li.append(ul);
    markChildren(path, [...ul.querySelectorAll("button")]).catch(() => {}); // without kinds, the names are enough
  }
}

function shape(numbers) {
  return numbers.length === 0 ? "scalar" : numbers.join(" × ");
}

// Every node is also served as Zarr v3, whatever its format.
function showVersion3(path) {
  const link = document.querySelector("#version3 a");
  const parts = path === "" ? [] : path.split("/").map(encodeURIComponent);
  link.href = ["/__v3", ...parts, ""].join("/");
  link.textContent = link.href;
  byId("version3").hidden = false;
}

function summary(node) {
  if (node.type !== "array") {
    return node.type + (node.note ? "; " + node.note : "");
  }
  const type = typeof node.data_type === "string" ? node.data_type : node.data_type.name;
  const chunks = "chunks " + shape(node.chunk_shape);
  return type + ", " + shape(node.shape) + ", "
    + (node.sharded ? "shards " + shape(node.stored_chunk_shape) + " of inner " + chunks : chunks)
    + (node.format ? ", " + node.format : "");
}

// The first image of a group with OME-Zarr metadata.
function multiscale(node) {
  const attributes = node.metadata?.attributes ?? {};
  const found = (attributes.ome?.multiscales ?? attributes.multiscales)?.[0];
  return Array.isArray(found?.datasets) ? found : undefined;
}

const isName = (path) => String(path).split("/").every((name) => name !== "" && !/^(\.+$|__)/.test(name));

// The arrays of a pyramid (OME-Zarr), finest first; for an array, itself.
async function levels(path, node) {
  if (node.type === "array") {
    return [{ path, node }];
  }
  const found = [];
  for (const dataset of (multiscale(node)?.datasets ?? []).slice(0, 32)) {
    // a name of periods alone would lead out of the image
    if (!isName(dataset.path)) {
      throw new Error("the image names a level outside of its group: " + dataset.path);
    }
    const level = join(path, String(dataset.path));
    found.push({ path: level, node: await facts(level), up: String(dataset.path).split("/").length });
  }
  return found;
}

// The pixel size of the finest level along each axis.
function pixelSize(image) {
  const scale = (of) => (Array.isArray(of) ? of : []).find((t) => t?.type === "scale")?.scale ?? [];
  const outer = scale(image.coordinateTransformations);
  return scale(image.datasets[0]?.coordinateTransformations).map((n, d) => n * (outer[d] ?? 1));
}

// Axes as names, units and pixel sizes; version 0.4 and 0.5 have them here.
function axesOf(image) {
  const axes = Array.isArray(image.axes) ? image.axes : image.coordinateSystems?.[0]?.axes ?? [];
  const sizes = pixelSize(image);
  return axes.map((axis, d) => ({ name: String(axis?.name ?? d), unit: axis?.unit, size: sizes[d] }));
}

function fact(name, ...values) {
  const dt = document.createElement("dt");
  const dd = document.createElement("dd");
  dt.textContent = name;
  dd.append(...values);
  return [dt, dd];
}

function channel(of) {
  const span = document.createElement("span");
  if (/^[0-9a-fA-F]{6}$/.test(of?.color ?? "")) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = "#" + of.color;
    span.append(swatch);
  }
  span.append(String(of?.label ?? "channel") + " ");
  return span;
}

// What an image is: shape, pixel size, channels and labels.
function showImage(image, channels, finest, labels) {
  const axes = axesOf(image);
  const size = axes.filter((a) => a.size !== undefined && (a.unit !== undefined || a.size !== 1))
    .map((a) => a.name + " " + a.size + (a.unit === undefined ? "" : " " + a.unit)).join(", ");
  byId("image").replaceChildren(
    ...fact("Image", String(image.name ?? "") + " " + image.datasets.length + (image.datasets.length === 1 ? " level" : " levels")),
    ...fact("Shape", finest.shape.map((n, d) => (axes[d] === undefined ? "" : axes[d].name + " ") + n).join(", ")),
    ...fact("Pixel size", size || "not stated"),
    ...(channels.length > 0 ? fact("Channels", ...channels.map(channel)) : []),
    ...(labels.length > 0 ? fact("Labels", labels.map((l) => l.name).join(", ")) : []));
  byId("image").hidden = false;
}

// Whether a label image declares the colours of its labels.
function declaresColours(attributes) {
  const colours = (attributes.ome ?? attributes)["image-label"]?.colors;
  return Array.isArray(colours) && colours.length > 0;
}

// The label images of an image, which the page lays over it.
async function labelsOf(path, children) {
  if (!children.includes("labels")) {
    return [];
  }
  const group = (await facts(join(path, "labels"))).metadata?.attributes ?? {};
  const names = group.ome?.labels ?? group.labels;
  const found = [];
  for (const name of (Array.isArray(names) ? names : []).filter(isName).slice(0, 16)) {
    const node = await facts(join(path, "labels/" + name));
    const pyramid = await levels(join(path, "labels/" + name), node);
    if (pyramid.length > 0) {
      found.push({
        name: String(name),
        levels: pyramid,
        axes: axesOf(multiscale(node)).map((a) => a.name),
        hasColours: declaresColours(node.metadata?.attributes ?? {}),
      });
    }
  }
  return found;
}

function showLink(path) {
  const link = document.querySelector("#link a");
  link.href = "#" + path.split("/").map(encodeURIComponent).join("/");
  link.textContent = link.href;
  history.replaceState(null, "", link.href);
}

async function choose(path, li) {
  const turn = ++chosen;
  document.querySelector("[aria-current]")?.removeAttribute("aria-current");
  li.querySelector("button").setAttribute("aria-current", "true");
  byId("message").textContent = "";
  byId("path").textContent = "/" + path;
  byId("summary").textContent = "";
  byId("metadata").textContent = "";
  byId("viewer").hidden = true;
  byId("version3").hidden = true;
  byId("image").hidden = true;
  showLink(path);
  try {
    const node = await facts(path);
    const pyramid = await levels(path, node);
    const image = node.type === "group" ? multiscale(node) : undefined;
    const attributes = node.metadata?.attributes ?? {};
    const labels = image === undefined ? [] : await labelsOf(path, node.children ?? []);
    if (turn !== chosen) {
      return;
    }
    mark(li.querySelector("button"), ofNode(node));
    byId("summary").textContent = summary(node);
    byId("metadata").textContent = JSON.stringify(node.metadata ?? {}, null, 2);
    if (node.type !== "folder") {
      showVersion3(path);
    }
    showChildren(li, path, node.children ?? []);
    const channels = [(attributes.ome ?? attributes).omero?.channels ?? []].flat();
    if (image !== undefined && pyramid.length > 0) {
      showImage(image, channels, pyramid[0].node, labels);
    }
    if (pyramid.length > 0 && pyramid[0].node.shape.every((n) => n > 0)) {
      byId("viewer").hidden = false;
      storage.clear();
      await view.open(pyramid, {
        axes: image === undefined ? [] : axesOf(image),
        channels: channels.map((c) => c?.label).map((label) => (label === undefined ? "" : String(label))),
        labels,
        hasColours: declaresColours(attributes),
        isLabel: (attributes.ome ?? attributes)["image-label"] !== undefined,
      });
    }
  } catch (e) {
    if (turn === chosen) {
      byId("message").textContent = e.message;
    }
  }
}

const root = item("", "/");
byId("tree").append(root);

// The node that the address names.
function follow() {
  let wanted = location.hash.slice(1);
  try {
    wanted = decodeURIComponent(wanted);
  } catch {
    byId("message").textContent = "the address names no node";
    return Promise.resolve();
  }
  const known = [...document.querySelectorAll("nav button")].find((button) => button.dataset.path === wanted);
  if (known !== undefined) {
    return choose(wanted, known.parentElement);
  }
  const li = item(wanted, wanted);
  byId("tree").append(li);
  return choose(wanted, li);
}

const first = location.hash;
choose("", root).then(() => {
  if (first.length > 1) {
    history.replaceState(null, "", first);
    return follow();
  }
});
window.addEventListener("hashchange", follow);
