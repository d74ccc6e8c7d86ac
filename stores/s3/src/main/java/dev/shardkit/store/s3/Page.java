package dev.shardkit.store.s3;

import dev.shardkit.store.remote.Common;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Outcome.Told;
import dev.shardkit.transport.Payload;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing. Immutable.
 *
 * @param objects the objects
 * @param prefixes the common prefixes, each with a slash at its end
 * @param next continues the listing; null at its end
 */
record Page(
        List<Named> objects,
        List<String> prefixes,
        @Nullable String next) {
    private static final int LARGEST = 16 << 20;

    /** An object by its name in the bucket. */
    record Named(String name, OptionalLong size, Optional<String> version) {}

    /**
     * Asks for a page.
     *
     * @param before what all names begin with
     * @param deep whether names that contain further slashes are listed, rather than their common prefixes
     * @param from where an earlier page ended
     */
    static CompletableFuture<Page> ask(
            Common common, S3Origin origin, String before, boolean deep, @Nullable String from) {
        Map<String, String> query = new TreeMap<>(Map.of("list-type", "2", "encoding-type", "url", "prefix", before));
        if (!deep) {
            query.put("delimiter", "/");
        }
        if (from != null) {
            query.put("continuation-token", from);
        }
        String what = "LIST of \"" + before + "\" in " + origin.describe();
        var task = new Task<>(
                origin,
                what,
                "GET",
                () -> origin.bucket().bucket(query),
                Map.of(),
                Payload.NONE,
                LARGEST,
                (Told told) -> Xml.parse(told.body().toArray()).flatMap(Page::of));
        return new Errand<>(common, task).start();
    }

    /** Reads a page; empty if it contradicts itself. */
    private static Optional<Page> of(Xml root) {
        if (!root.name().equals("ListBucketResult")) {
            return Optional.empty();
        }
        boolean encoded = root.text("EncodingType").equals("url"); // servers may ignore the wish
        List<Named> objects = root.all("Contents")
                .map(c -> new Named(name(c.text("Key"), encoded), size(c.text("Size")), version(c.text("ETag"))))
                .toList();
        List<String> prefixes = root.all("CommonPrefixes")
                .map(c -> name(c.text("Prefix"), encoded))
                .toList();
        boolean more = root.text("IsTruncated").strip().equals("true");
        String token = root.text("NextContinuationToken");
        if (more && token.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Page(objects, prefixes, more ? token : null));
    }

    private static String name(String text, boolean encoded) {
        try {
            return encoded ? URLDecoder.decode(text, StandardCharsets.UTF_8) : text;
        } catch (IllegalArgumentException e) { // the server has not encoded this name
            return text;
        }
    }

    private static OptionalLong size(String text) {
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static Optional<String> version(String tag) {
        return tag.matches("\"[^\"]+\"") ? Optional.of("s:" + tag) : Optional.empty();
    }
}
