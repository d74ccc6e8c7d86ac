package dev.shardkit.serve;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The server's own page and the data that it shows, below {@code /__view/}. No key of a store begins with two
 * underscores. Thread-safe.
 */
final class PageAnswer {
    static final String ROOT = "/__view/";
    /** The page loads nothing from elsewhere and runs no script but its own, whatever names a store has. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Between a label image and its arrays. */
    private static final int MAX_GROUPS = 16;

    private static final Map<String, String> TYPES = Map.of(
            "page.html", "text/html; charset=utf-8",
            "page.css", "text/css; charset=utf-8",
            "main.js", "text/javascript; charset=utf-8",
            "plane.js", "text/javascript; charset=utf-8",
            "storage.js", "text/javascript; charset=utf-8");

    private final StoredNodes nodes;
    private final BoundedWork work;
    private final Tiles tiles;

    PageAnswer(StoredNodes nodes, BoundedWork work) {
        this.nodes = nodes;
        this.work = work;
        this.tiles = new Tiles(work);
    }

    /** Whether a path is one of the page's. */
    static boolean isBelow(URI uri) {
        return uri.getRawPath() != null && uri.getRawPath().startsWith(ROOT);
    }

    void send(URI uri, Answer answer) throws IOException, Refused {
        String site = answer.request().getFirst("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw new Refused(403, "only this server's own page may request this");
        }
        answer.headers().set("Content-Security-Policy", POLICY);
        answer.headers().set("Cache-Control", "no-store");
        String rest = uri.getRawPath().substring(ROOT.length());
        String name = rest.isEmpty() ? "page.html" : rest;
        if (TYPES.containsKey(name)) {
            answer.send(200, TYPES.get(name), resource(name));
            return;
        }
        int slash = rest.indexOf('/');
        if (slash < 0) {
            throw Refused.missing();
        }
        String path = RequestPath.of(rest.substring(slash)).key();
        try {
            data(rest.substring(0, slash), path, new Query(uri), answer);
        } catch (MetadataException | UnsupportedException e) {
            throw new Refused(422, e.fact());
        }
    }

    private void data(String kind, String path, Query query, Answer answer) throws IOException, Refused {
        switch (kind) {
            case "node" -> json(answer, bytes(nodes.facts(path)));
            case "kinds" -> {
                Json facts = nodes.facts(path);
                json(answer, work.run(0, () -> bytes(nodes.kinds(path, facts))));
            }
            case "tile" -> answer.send(200, "image/png", tiles.render(plane(path, query), query, labels(path, query)));
            case "statistics" -> {
                Plane plane = plane(path, query);
                json(answer, work.run(Statistics.memory(plane), () -> bytes(Statistics.of(plane))));
            }
            case "storage" -> {
                Plane plane = plane(path, query);
                json(answer, work.run(0, () -> bytes(StorageMap.of(plane))));
            }
            default -> throw Refused.missing();
        }
    }

    /** Returns the colours that the label image declares which is {@code declared} groups above the array. */
    private Optional<LabelColours> labels(String path, Query query) throws Refused {
        long groups = query.integer("declared", 0, 0, MAX_GROUPS);
        if (groups == 0) {
            return Optional.empty();
        }
        String group = path;
        for (int i = 0; i < groups; i++) {
            group = StoreKeys.parent(group);
        }
        return Optional.of(LabelColours.of(nodes.kept(group).attributes()));
    }

    private Plane plane(String path, Query query) throws Refused {
        return Plane.of(nodes.array(path), query);
    }

    private static byte[] bytes(Json json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void json(Answer answer, byte[] json) throws IOException {
        answer.send(200, "application/json", json);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = PageAnswer.class.getResourceAsStream("view/" + name)) {
            if (in == null) {
                throw new IOException("view/" + name + " is missing in the jar");
            }
            return in.readAllBytes();
        }
    }
}
