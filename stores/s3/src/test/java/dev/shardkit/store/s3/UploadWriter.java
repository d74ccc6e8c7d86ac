package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/** A process that replaces one object by uploads in parts, again and again: {@code ENDPOINT LOCATION KIND VERSION}. */
final class UploadWriter {
    static final String KEY = "c/0";

    private static final int PART = 5 << 20;
    private static final int SIZE = 2 * PART + 4096;

    /** How an object is replaced. */
    enum Kind {
        /** Its bytes are sent. */
        PUT,
        /** The server copies it from another object by ranges. */
        COPY
    }

    private UploadWriter() {}

    public static void main(String[] args) throws Exception {
        Kind kind = Kind.valueOf(args[2]);
        try (S3Store store = store(URI.create(args[0]), URI.create(args[1]))) {
            System.out.println("ready");
            for (int version = Integer.parseInt(args[3]); ; version++) {
                replace(store, kind, version);
                System.out.println(version);
            }
        }
    }

    static S3Store store(URI endpoint, URI location) {
        return S3Store.builder(location)
                .endpoint(endpoint)
                .region("us-east-1")
                .credentials(Versity.KEYS)
                .partSize(PART)
                .abandonedAfter(Duration.ZERO)
                .build();
    }

    /** Stores the object in its first version, and the sources of copies. */
    static void begin(S3Store store) throws IOException {
        put(store, KEY, 0);
        put(store, "from/0", 0);
        put(store, "from/1", 1);
    }

    /** Returns the version that a copy or a put of this version stores. */
    static int stored(Kind kind, int version) {
        return kind == Kind.PUT ? version : version % 2;
    }

    private static void replace(S3Store store, Kind kind, int version) throws Exception {
        if (kind == Kind.PUT) {
            put(store, KEY, version);
            return;
        }
        MultipartUpload uploads = (MultipartUpload) store.store().bulk();
        LargeCopy copy = new LargeCopy(
                new MultipartUpload(uploads.changes(), uploads.origin(), PART),
                uploads.changes().context(),
                uploads.origin(),
                () -> false);
        if (!copy.copy("from/" + version % 2, KEY).get()) {
            throw new IllegalStateException("no source");
        }
    }

    private static void put(S3Store store, String key, int version) throws IOException {
        byte[] value = new byte[SIZE];
        ByteBuffer.wrap(value).asIntBuffer().put(ints(version));
        BlockingStore.to(store).put(key, Content.of(Bytes.of(value)), Condition.ANY, Durability.ATOMIC);
    }

    private static int[] ints(int version) {
        int[] ints = new int[SIZE / Integer.BYTES];
        Arrays.fill(ints, version);
        return ints;
    }

    /** Reads the version of the object; fails if it is a mixture. */
    static int read(S3Store store) throws IOException {
        try (ObjectSnapshot object = BlockingStore.to(store).open(KEY).orElseThrow()) {
            ByteBuffer value = ByteBuffer.allocate(SIZE);
            object.read(0, value);
            int[] found = new int[SIZE / Integer.BYTES];
            value.flip().asIntBuffer().get(found);
            if (object.size() != SIZE || !Arrays.equals(found, ints(found[0]))) {
                throw new AssertionError("a mixture of versions, in " + object.size() + " bytes");
            }
            return found[0];
        }
    }
}
