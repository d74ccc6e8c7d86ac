package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends objects of the store, whole or in part. Thread-safe. */
final class ObjectHandler {
    /** The number of bytes that are read from a local store at once. */
    private static final int LOCAL_BLOCK = 1 << 18;
    /** The same for remote stores. It is larger, because each block costs a request. */
    private static final int REMOTE_BLOCK = 1 << 20;

    private final BlockingStore store;
    private final int blockSize;

    ObjectHandler(BlockingStore store) {
        this.store = store;
        this.blockSize = store.store().reads() instanceof RemoteReads ? REMOTE_BLOCK : LOCAL_BLOCK;
    }

    void send(String key, HttpResponse response) throws IOException, HttpError {
        Optional<ObjectSnapshot> found = open(key);
        if (found.isEmpty()) {
            throw HttpError.notFound();
        }
        try (ObjectSnapshot object = found.get()) {
            send(key, object, response, blockSize);
        }
    }

    private Optional<ObjectSnapshot> open(String key) throws IOException, HttpError {
        try {
            return store.open(key);
        } catch (IllegalArgumentException e) {
            throw HttpError.notFound(); // not a key of this store, such as a name with a colon on Windows
        }
    }

    /**
     * Sends an object, or the range of it that was requested.
     *
     * @param blockSize the number of bytes to read at once
     */
    static void send(String key, ObjectSnapshot object, HttpResponse response, int blockSize)
            throws IOException, HttpError {
        Headers request = response.requestHeaders();
        Headers headers = response.responseHeaders();
        Optional<String> tag = EntityTag.of(object);
        tag.ifPresent(value -> headers.set("ETag", value));
        headers.set("Accept-Ranges", "bytes");
        headers.set("Cache-Control", "no-cache"); // caches must check the tag before each use
        String requiredTags = request.getFirst("If-Match");
        String cachedTags = request.getFirst("If-None-Match");
        if (requiredTags != null && !EntityTag.listContains(requiredTags, tag, false)) {
            throw new HttpError(412, "the object has another version");
        } else if (cachedTags != null && EntityTag.listContains(cachedTags, tag, true)) {
            response.sendEmpty(304);
            return;
        }
        headers.set("Content-Type", contentType(key));
        try {
            Optional<RequestedRange> range = requestedRange(request, tag.orElse(null), object.size());
            range.ifPresent(span -> headers.set(
                    "Content-Range",
                    "bytes " + span.start() + "-" + (span.start() + span.length() - 1) + "/" + object.size()));
            RequestedRange rangeToSend = range.orElseGet(() -> new RequestedRange(0, object.size()));
            response.start(range.isPresent() ? 206 : 200, rangeToSend.length());
            if (!response.isHead()) {
                sendRange(object, rangeToSend, response, blockSize);
            }
        } catch (RequestedRange.Unsatisfiable e) {
            headers.set("Content-Range", "bytes */" + object.size());
            throw new HttpError(416, "the range is outside the object, which has " + object.size() + " bytes");
        }
    }

    /**
     * Returns the requested range. Empty for the whole object, which is also sent if {@code If-Range} names another
     * version.
     */
    private static Optional<RequestedRange> requestedRange(Headers request, @Nullable String tag, long size)
            throws RequestedRange.Unsatisfiable {
        String rangeHeader = request.getFirst("Range");
        String condition = request.getFirst("If-Range");
        boolean isSameVersion = condition == null || condition.strip().equals(tag);
        return rangeHeader == null || !isSameVersion ? Optional.empty() : RequestedRange.parse(rangeHeader, size);
    }

    /**
     * Sends a range. Checks each block before sending it, so that no bytes of a changed object are sent with the old
     * tag.
     */
    private static void sendRange(ObjectSnapshot object, RequestedRange span, HttpResponse response, int blockSize)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(blockSize, span.length()));
        for (long sent = 0; sent < span.length(); sent += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), span.length() - sent));
            object.read(span.start() + sent, buffer);
            object.confirm();
            response.writeContent(buffer.array(), buffer.limit());
        }
    }

    /** Returns the content type. Data never has a type that a browser executes or shows as a page. */
    private static String contentType(String key) {
        String name = StoreKeys.name(key);
        boolean isDocument = name.endsWith(".json") || name.matches("\\.z(array|attrs|group|metadata)");
        return isDocument ? "application/json" : "application/octet-stream";
    }
}
