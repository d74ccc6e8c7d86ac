package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Sends the page that shows arrays in a browser, and the data that the page requests, below {@code /__view/}. This path
 * hides no object of the store, because names that begin with two underscores are reserved. Thread-safe.
 */
final class PageHandler {
    static final String ROOT = "/__view/";
    /**
     * The content security policy. The page loads nothing from other servers and runs only its own scripts, even if
     * names in the store contain HTML.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The maximum value of the query's parameter {@code declared}; see {@link #labelColours}. */
    private static final int MAX_GROUPS = 16;

    /** The content types of the files of the page. */
    private static final Map<String, String> TYPES = Map.of(
            "page.html", "text/html; charset=utf-8",
            "page.css", "text/css; charset=utf-8",
            "main.js", "text/javascript; charset=utf-8",
            "plane.js", "text/javascript; charset=utf-8",
            "storage.js", "text/javascript; charset=utf-8");

    private final StoredNodes nodes;
    private final BoundedWork work;
    private final Tiles tiles;
    /** The CF variable of each opened array; empty if the array is not a CF variable. */
    private final Map<ZarrArray, Optional<CfVariable>> variables = Collections.synchronizedMap(new WeakHashMap<>());

    PageHandler(StoredNodes nodes, BoundedWork work) {
        this.nodes = nodes;
        this.work = work;
        this.tiles = new Tiles(work);
    }

    /** Returns whether a path belongs to the page. */
    static boolean isBelow(URI uri) {
        return uri.getRawPath() != null && uri.getRawPath().startsWith(ROOT);
    }

    /** Sends a file of the page, or data that it requests. */
    void send(URI uri, HttpResponse response) throws IOException, HttpError {
        String fetchSite = response.requestHeaders().getFirst("Sec-Fetch-Site");
        if (fetchSite != null && !fetchSite.equals("same-origin") && !fetchSite.equals("none")) {
            throw new HttpError(403, "only this server's own page may request this");
        }
        response.responseHeaders().set("Content-Security-Policy", POLICY);
        response.responseHeaders().set("Cache-Control", "no-store");
        String subPath = uri.getRawPath().substring(ROOT.length());
        String name = subPath.isEmpty() ? "page.html" : subPath;
        if (TYPES.containsKey(name)) {
            response.send(200, TYPES.get(name), readResource(name));
            return;
        }
        int slash = subPath.indexOf('/');
        if (slash < 0) {
            throw HttpError.notFound();
        }
        String path = RequestPath.parse(subPath.substring(slash)).key();
        try {
            sendData(subPath.substring(0, slash), path, new Query(uri), response);
        } catch (MetadataException | UnsupportedException e) {
            throw new HttpError(422, e.fact());
        }
    }

    /**
     * Sends data for the page.
     *
     * @param kind the kind of data
     * @param path the path of the node
     */
    private void sendData(String kind, String path, Query query, HttpResponse response) throws IOException, HttpError {
        switch (kind) {
            case "node" -> sendJson(response, toBytes(nodes.describe(path)));
            case "kinds" -> {
                Json description = nodes.describe(path);
                sendJson(response, work.run(0, () -> toBytes(nodes.childKinds(path, description))));
            }
            case "tile" ->
                response.send(200, "image/png", tiles.render(readPlane(path, query), query, labelColours(path, query)));
            case "statistics" -> {
                Plane plane = readPlane(path, query);
                sendJson(
                        response,
                        work.run(PlaneStatistics.memory(plane), () -> toBytes(PlaneStatistics.compute(plane))));
            }
            case "storage" -> {
                Plane plane = readPlane(path, query);
                sendJson(response, work.run(0, () -> toBytes(StorageMap.compute(plane))));
            }
            case "element" -> sendJson(response, elementFacts(path, query));
            default -> throw HttpError.notFound();
        }
    }

    /**
     * Returns the value and the labels of an element as JSON. The array must be in a group, which is its CF dataset.
     */
    private byte[] elementFacts(String path, Query query) throws HttpError {
        ZarrArray array = nodes.openArray(path);
        long[] at = query.integers("at");
        if (at.length != array.shape().length || !array.domain().contains(element(at))) {
            throw new HttpError(400, "expected the indices of an element");
        } else if (array.dataType().elementSize().isEmpty()) {
            throw new HttpError(422, "elements of type " + array.dataType().name() + " have no fixed size");
        }
        if (path.isEmpty() || !(nodes.cachedNode(StoreKeys.parent(path)) instanceof ZarrGroup group)) {
            throw new HttpError(422, "the array is in no group");
        }
        Optional<CfVariable> opened = variable(group, StoreKeys.name(path), array);
        if (opened.isEmpty()) {
            return toBytes(Json.object());
        }
        CfVariable variable = opened.get();
        long memory = Math.max(ReadMemory.estimate(array, element(at)), ElementFacts.memory(variable, work.budget()));
        return work.run(memory, () -> toBytes(ElementFacts.compute(variable, at, work.budget())));
    }

    /** Opens an array as a CF variable. Caches it as long as {@link StoredNodes} returns the same array. */
    private Optional<CfVariable> variable(ZarrGroup group, String name, ZarrArray array) throws HttpError {
        if (!variables.containsKey(array)) {
            int memory = 0; // opening reads metadata only
            work.run(memory, () -> {
                variables.put(array, ElementFacts.variable(group, name, array));
                return new byte[0]; // not used: this work makes no response
            });
        }
        return variables.get(array);
    }

    /** Returns the box of one element. */
    private static Box element(long[] at) {
        long[] ones = new long[at.length];
        Arrays.fill(ones, 1);
        return Box.of(at, ones);
    }

    /**
     * Returns the colours of the label image that contains the array. The parameter {@code declared} of the query says
     * which group above the array describes the label image in its attributes: 1 is the parent, 2 is the parent of the
     * parent, and so on. Empty if the parameter is 0 or absent.
     */
    private Optional<LabelColours> labelColours(String path, Query query) throws HttpError {
        long depth = query.integer("declared", 0, 0, MAX_GROUPS);
        if (depth == 0) {
            return Optional.empty();
        }
        String group = path;
        for (int i = 0; i < depth; i++) {
            group = StoreKeys.parent(group);
        }
        return Optional.of(LabelColours.of(nodes.cachedNode(group).attributes()));
    }

    private Plane readPlane(String path, Query query) throws HttpError {
        return Plane.of(nodes.openArray(path), query);
    }

    private static byte[] toBytes(Json json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void sendJson(HttpResponse response, byte[] json) throws IOException {
        response.send(200, "application/json", json);
    }

    private static byte[] readResource(String name) throws IOException {
        try (InputStream stream = PageHandler.class.getResourceAsStream("view/" + name)) {
            if (stream == null) {
                throw new IOException("view/" + name + " is missing in the jar");
            }
            return stream.readAllBytes();
        }
    }
}
