package dev.shardkit.testkit.store;

import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Helpers that the store suites share: illegal keys, contents of puts, and reads and listings in one call. Stateless.
 */
final class StoreSuiteHelpers {
    /** Strings that no store accepts as keys. The last one is half of a surrogate pair, which has no UTF-8 form. */
    static final List<String> ILLEGAL_KEYS = List.of(
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "../a",
            "a/..",
            "a/../b",
            "a/./b",
            "./a",
            "a/.../b",
            "a\0b",
            "\0",
            "/etc/passwd",
            "a/../../etc/passwd",
            "\uD800");

    private StoreSuiteHelpers() {}

    /** Returns pseudo-random bytes for {@code seed}. */
    static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Content content(byte[] value) {
        return content(value, value.length);
    }

    /** Returns content that declares {@code size} bytes and writes {@code value} in two pieces. */
    static Content content(byte[] value, long size) {
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                write(out, ByteBuffer.wrap(value, 0, value.length / 3));
                write(out, ByteBuffer.wrap(value, value.length / 3, value.length - value.length / 3));
            }
        };
    }

    /** Returns content that writes {@code value} and then throws. */
    static Content failing(byte[] value, RuntimeException failure) {
        return new Content() {
            @Override
            public long size() {
                return value.length;
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                write(out, ByteBuffer.wrap(value));
                throw failure;
            }
        };
    }

    /** Returns content that is a part of another object. */
    static Content moved(ObjectSnapshot from, long offset, long length) {
        return new Content() {
            @Override
            public long size() {
                return length;
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                from.transferTo(offset, length, out);
            }
        };
    }

    private static void write(WritableByteChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** Returns all bytes of an object. */
    static byte[] read(ObjectSnapshot snapshot) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) snapshot.size());
        snapshot.read(0, all);
        return all.array();
    }

    static Optional<byte[]> get(BlockingStore store, String key) throws IOException {
        Optional<ObjectSnapshot> opened = store.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot snapshot = opened.get()) {
            return Optional.of(read(snapshot));
        }
    }

    static Optional<byte[]> get(Store store, String key) throws IOException {
        return get(BlockingStore.to(store), key);
    }

    /** Returns the listing by name; a duplicate name is an error. */
    static Map<String, Entry.Kind> list(BlockingStore store, String prefix) throws IOException {
        Map<String, Entry.Kind> all = new HashMap<>();
        store.list(prefix, entry -> {
            if (all.put(entry.name(), entry.kind()) != null) {
                throw new AssertionError("listed twice: " + entry);
            }
        });
        return all;
    }
}
