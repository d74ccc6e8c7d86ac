package dev.shardkit.serve;

import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends listings of folders, as HTML with links, or as JSON if the client accepts it. Many Zarr clients list a server
 * by following the links. Thread-safe.
 */
final class ListingHandler {
    private static final int MAX_ENTRIES = 100_000;

    private final BlockingStore store;
    private final int maxEntries;

    ListingHandler(BlockingStore store) {
        this(store, MAX_ENTRIES);
    }

    ListingHandler(BlockingStore store, int maxEntries) {
        this.store = store;
        this.maxEntries = maxEntries;
    }

    void send(String prefix, HttpResponse response) throws IOException, HttpError {
        if (!store.can(Listings.class)) {
            throw new HttpError(501, "the served store cannot list its objects");
        }
        Map<String, Entry> entries = listEntries(prefix);
        if (entries.isEmpty() && !prefix.isEmpty()) {
            throw HttpError.notFound();
        }
        send(prefix, entries, response);
    }

    /** Sends the entries at a prefix. */
    static void send(String prefix, Map<String, Entry> entries, HttpResponse response) throws IOException {
        String acceptHeader = String.valueOf(response.requestHeaders().getFirst("Accept"));
        response.responseHeaders().add("Vary", "Accept");
        response.responseHeaders().set("Cache-Control", "no-store");
        if (acceptHeader.contains("application/json")) {
            response.send(200, "application/json", utf8(toJson(prefix, entries).toString()));
        } else {
            response.send(200, "text/html; charset=utf-8", utf8(toHtml(prefix, entries)));
        }
    }

    private Map<String, Entry> listEntries(String prefix) throws IOException, HttpError {
        Map<String, Entry> entries = new TreeMap<>();
        try {
            store.list(prefix, entry -> {
                if (entry.kind() != Entry.Kind.OTHER && !OwnNames.isOwn(entry.name())) {
                    entries.put(entry.name(), entry);
                }
                if (entries.size() > maxEntries) {
                    throw new TooManyEntries();
                }
            });
        } catch (TooManyEntries e) {
            throw new HttpError(
                    403, "there are more than " + maxEntries + " entries here; this server does not list so many");
        } catch (IllegalArgumentException e) {
            throw HttpError.notFound();
        }
        return entries;
    }

    private static Json toJson(String prefix, Map<String, Entry> entries) {
        Json[] items = entries.values().stream()
                .map(entry -> Json.object()
                        .with("name", Json.of(entry.name()))
                        .with("kind", Json.of(entry.kind() == Entry.Kind.PREFIX ? "prefix" : "object")))
                .toArray(Json[]::new);
        return Json.object().with("prefix", Json.of(prefix)).with("entries", new Json.Arr(List.of(items)));
    }

    private static String toHtml(String prefix, Map<String, Entry> entries) {
        String title = escape("/" + prefix);
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title></head>\n<body><h1>")
                .append(title)
                .append("</h1>\n<ul>\n");
        for (Entry entry : entries.values()) {
            String slash = entry.kind() == Entry.Kind.PREFIX ? "/" : "";
            page.append("<li><a href=\"")
                    // fsspec would treat a leading "./" as a part of the name. Without it, a colon in the name would
                    // end a scheme, but colons are encoded.
                    .append(URLEncoder.encode(entry.name(), StandardCharsets.UTF_8)
                            .replace("+", "%20"))
                    .append(slash)
                    .append("\">")
                    .append(escape(entry.name() + slash))
                    .append("</a></li>\n");
        }
        return page.append("</ul></body></html>\n").toString();
    }

    /** Escapes text for HTML, inside and outside of attributes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Thrown by the listener of a listing to end it early. Has no stack trace. */
    private static final class TooManyEntries extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyEntries() {
            super("", null, false, false);
        }
    }
}
