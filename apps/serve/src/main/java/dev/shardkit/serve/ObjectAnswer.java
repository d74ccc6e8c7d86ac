package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers requests for objects of the store, whole or in part. Thread-safe. */
final class ObjectAnswer {
    private static final int NEAR_BLOCK = 1 << 18;
    /** Each block of a remote store costs a request. */
    private static final int FAR_BLOCK = 1 << 20;

    private final StoreAccess store;
    private final int block;

    ObjectAnswer(StoreAccess store) {
        this.store = store;
        this.block = store.store().reads() instanceof FarReads ? FAR_BLOCK : NEAR_BLOCK;
    }

    void send(String key, Answer answer) throws IOException, Refused {
        Optional<Snapshot> found = open(key);
        if (found.isEmpty()) {
            throw Refused.missing();
        }
        try (Snapshot object = found.get()) {
            send(key, object, answer, block);
        }
    }

    private Optional<Snapshot> open(String key) throws IOException, Refused {
        try {
            return store.open(key);
        } catch (IllegalArgumentException e) {
            throw Refused.missing(); // not a key of this store, such as a name with a colon on Windows
        }
    }

    /**
     * Sends an object, or what the request wants of it.
     *
     * @param block the number of bytes to read at once
     */
    static void send(String key, Snapshot object, Answer answer, int block) throws IOException, Refused {
        Headers request = answer.request();
        Headers headers = answer.headers();
        Optional<String> tag = EntityTag.of(object);
        tag.ifPresent(t -> headers.set("ETag", t));
        headers.set("Accept-Ranges", "bytes");
        headers.set("Cache-Control", "no-cache"); // caches ask with the tag before each use
        String required = request.getFirst("If-Match");
        String known = request.getFirst("If-None-Match");
        if (required != null && !EntityTag.names(required, tag, false)) {
            throw new Refused(412, "the object has another version");
        } else if (known != null && EntityTag.names(known, tag, true)) {
            answer.empty(304);
            return;
        }
        headers.set("Content-Type", type(key));
        try {
            Optional<Span> part = part(request, tag.orElse(null), object.size());
            part.ifPresent(p -> headers.set(
                    "Content-Range", "bytes " + p.from() + "-" + (p.from() + p.length() - 1) + "/" + object.size()));
            Span span = part.orElseGet(() -> new Span(0, object.size()));
            answer.begin(part.isPresent() ? 206 : 200, span.length());
            if (!answer.isHead()) {
                copy(object, span, answer, block);
            }
        } catch (Span.Unsatisfiable e) {
            headers.set("Content-Range", "bytes */" + object.size());
            throw new Refused(416, "the range is outside the object, which has " + object.size() + " bytes");
        }
    }

    /** Returns the requested range; empty for the whole object, also if {@code If-Range} names another version. */
    private static Optional<Span> part(Headers request, @Nullable String tag, long size) throws Span.Unsatisfiable {
        String range = request.getFirst("Range");
        String condition = request.getFirst("If-Range");
        boolean isSame = condition == null || condition.strip().equals(tag);
        return range == null || !isSame ? Optional.empty() : Span.of(range, size);
    }

    /** Confirms each block before sending it: a patch of the object must not end up in an answer with its old tag. */
    private static void copy(Snapshot object, Span span, Answer answer, int block) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(block, span.length()));
        for (long sent = 0; sent < span.length(); sent += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), span.length() - sent));
            object.read(span.from() + sent, buffer);
            object.confirm();
            answer.write(buffer.array(), buffer.limit());
        }
    }

    /** Data never has a type that a browser runs or shows as a page. */
    private static String type(String key) {
        String name = StoreKeys.name(key);
        boolean isDocument = name.endsWith(".json") || name.matches("\\.z(array|attrs|group|metadata)");
        return isDocument ? "application/json" : "application/octet-stream";
    }
}
