package dev.shardkit.serve;

import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Lists;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers requests for listings: HTML, whose links many Zarr clients follow, or JSON. Thread-safe. */
final class ListingAnswer {
    private static final int MAX_ENTRIES = 100_000;

    private final StoreAccess store;
    private final int most;

    ListingAnswer(StoreAccess store) {
        this(store, MAX_ENTRIES);
    }

    ListingAnswer(StoreAccess store, int most) {
        this.store = store;
        this.most = most;
    }

    void send(String prefix, Answer answer) throws IOException, Refused {
        if (!store.can(Lists.class)) {
            throw new Refused(501, "the served store cannot list its objects");
        }
        Map<String, Entry> entries = entries(prefix);
        if (entries.isEmpty() && !prefix.isEmpty()) {
            throw Refused.missing();
        }
        send(prefix, entries, answer);
    }

    /** Sends the entries at a prefix, by name. */
    static void send(String prefix, Map<String, Entry> entries, Answer answer) throws IOException {
        String accepted = String.valueOf(answer.request().getFirst("Accept"));
        answer.headers().add("Vary", "Accept");
        answer.headers().set("Cache-Control", "no-store");
        if (accepted.contains("application/json")) {
            answer.send(200, "application/json", bytes(json(prefix, entries).toString()));
        } else {
            answer.send(200, "text/html; charset=utf-8", bytes(html(prefix, entries)));
        }
    }

    private Map<String, Entry> entries(String prefix) throws IOException, Refused {
        Map<String, Entry> entries = new TreeMap<>();
        try {
            store.list(prefix, entry -> {
                if (entry.kind() != Entry.Kind.OTHER && !OwnNames.isOwn(entry.name())) {
                    entries.put(entry.name(), entry);
                }
                if (entries.size() > most) {
                    throw new TooMany();
                }
            });
        } catch (TooMany e) {
            throw new Refused(403, "there are more than " + most + " entries here; this server does not list so many");
        } catch (IllegalArgumentException e) {
            throw Refused.missing();
        }
        return entries;
    }

    private static Json json(String prefix, Map<String, Entry> entries) {
        Json[] items = entries.values().stream()
                .map(entry -> Json.object()
                        .with("name", Json.of(entry.name()))
                        .with("kind", Json.of(entry.kind() == Entry.Kind.PREFIX ? "prefix" : "object")))
                .toArray(Json[]::new);
        return Json.object().with("prefix", Json.of(prefix)).with("entries", new Json.Arr(List.of(items)));
    }

    private static String html(String prefix, Map<String, Entry> entries) {
        String title = escaped("/" + prefix);
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title></head>\n<body><h1>")
                .append(title)
                .append("</h1>\n<ul>\n");
        for (Entry entry : entries.values()) {
            String slash = entry.kind() == Entry.Kind.PREFIX ? "/" : "";
            page.append("<li><a href=\"")
                    // without "./": fsspec would take it for a part of the name; a colon is encoded
                    .append(URLEncoder.encode(entry.name(), StandardCharsets.UTF_8)
                            .replace("+", "%20"))
                    .append(slash)
                    .append("\">")
                    .append(escaped(entry.name() + slash))
                    .append("</a></li>\n");
        }
        return page.append("</ul></body></html>\n").toString();
    }

    /** Returns text for HTML, inside and outside of attributes. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Ends a listing early. */
    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooMany() {
            super("", null, false, false);
        }
    }
}
