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

// The arrays of a pyramid (OME-Zarr), finest first; for an array, itself.
async function levels(path, node) {
  if (node.type === "array") {
    return [{ path, node }];
  }
  const attributes = node.metadata?.attributes ?? {};
  const datasets = (attributes.ome?.multiscales ?? attributes.multiscales)?.[0]?.datasets;
  if (!Array.isArray(datasets)) {
    return [];
  }
  const found = [];
  for (const dataset of datasets.slice(0, 32)) {
    // a name of periods alone would lead out of the image
    if (!String(dataset.path).split("/").every((name) => name !== "" && !/^(\.+$|__)/.test(name))) {
      throw new Error("the image names a level outside of its group: " + dataset.path);
    }
    const level = join(path, String(dataset.path));
    found.push({ path: level, node: await facts(level) });
  }
  return found;
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
  try {
    const node = await facts(path);
    const pyramid = await levels(path, node);
    if (turn !== chosen) {
      return;
    }
    byId("summary").textContent = summary(node);
    byId("metadata").textContent = JSON.stringify(node.metadata ?? {}, null, 2);
    if (node.type !== "folder") {
      showVersion3(path);
    }
    showChildren(li, path, node.children ?? []);
    if (pyramid.length > 0 && pyramid[0].node.shape.every((n) => n > 0)) {
      byId("viewer").hidden = false;
      storage.clear();
      await view.open(pyramid);
    }
  } catch (e) {
    if (turn === chosen) {
      byId("message").textContent = e.message;
    }
  }
}

const root = item("", "/");
byId("tree").append(root);
const wanted = decodeURIComponent(location.hash.slice(1));
choose("", root).then(() => {
  if (wanted !== "") {
    const li = item(wanted, wanted);
    byId("tree").append(li);
    return choose(wanted, li);
  }
});
