package dev.shardkit.maintenance.staging;

import dev.shardkit.maintenance.Part;
import dev.shardkit.spi.codec.ShardAssembly.Frame;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The content of a new object, such as a shard, that is assembled from byte ranges of existing objects. A frame
 * surrounds them: the shard index, and possibly a header. If the store can copy ranges itself, the ranges are not
 * downloaded. Ranges that are adjacent in one object are copied together. Used by one thread.
 */
final class AssembledContent implements Content {
    /** The largest number of source objects that are open at once. */
    private static final int MAX_OPEN = 16;

    private final BlockingStore store;
    private final Frame frame;
    private final int count;
    private final IntFunction<Part> parts;
    private final long size;

    /** A part of the content, such as an inner chunk. */
    sealed interface Part {
        long size();
    }

    /** A part without bytes, such as an absent inner chunk. */
    record Empty() implements Part {
        @Override
        public long size() {
            return 0;
        }
    }

    /** Bytes in memory. */
    record Literal(Bytes bytes) implements Part {
        @Override
        public long size() {
            return bytes.size();
        }
    }

    /** A byte range of an existing object. */
    record Range(String key, long offset, long size) implements Part {}

    /**
     * Creates content of {@code count} parts in a frame.
     *
     * @param parts returns a part by its number in the frame
     */
    AssembledContent(BlockingStore store, Frame frame, int count, IntFunction<Part> parts) {
        this.store = store;
        this.frame = frame;
        this.count = count;
        this.parts = parts;
        long sum = Math.addExact(frame.head().size(), frame.tail().size());
        for (int i = 0; i < count; i++) {
            sum = Math.addExact(sum, parts.apply(i).size());
        }
        this.size = sum;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
        try (Sources sources = new Sources()) {
            write(frame.head(), out);
            Range pending = new Range("", 0, 0); // adjacent ranges that are not copied yet
            for (int position = 0; position < count; position++) {
                Part next = parts.apply(frame.order().applyAsInt(position));
                if (next instanceof Range range
                        && range.key().equals(pending.key())
                        && range.offset() == pending.offset() + pending.size()) {
                    pending = new Range(pending.key(), pending.offset(), pending.size() + range.size());
                } else if (next.size() > 0) {
                    sources.copy(pending, out);
                    pending = next instanceof Range range ? range : new Range("", 0, 0);
                    if (next instanceof Literal literal) {
                        write(literal.bytes(), out);
                    }
                }
            }
            sources.copy(pending, out);
            write(frame.tail(), out);
        }
    }

    /** Returns the ranges with the versions of their objects, if the store itself copies ranges. */
    @Override
    public Optional<List<Content.Part>> parts() {
        if (store.store().find(Writes.class).filter(Writes::copiesRanges).isEmpty()) {
            return Optional.empty();
        }
        List<Content.Part> all = new ArrayList<>();
        Map<String, String> versions = new HashMap<>();
        all.add(new Content.Part.Literal(frame.head()));
        for (int position = 0; position < count; position++) {
            Part next = parts.apply(frame.order().applyAsInt(position));
            if (next instanceof Range range) {
                String version = versions.computeIfAbsent(range.key(), this::version);
                all.add(new Content.Part.Stored(range.key(), version, range.offset(), range.size()));
            } else if (next instanceof Literal literal) {
                all.add(new Content.Part.Literal(literal.bytes()));
            }
        }
        all.add(new Content.Part.Literal(frame.tail()));
        return Optional.of(all);
    }

    private String version(String key) {
        try {
            return store.version(key).orElseThrow(() -> deleted(key));
        } catch (IOException e) {
            throw new StoreException("the object " + key + " cannot be read", e);
        }
    }

    private static StoreException deleted(String key) {
        return new StoreException(
                "the object " + key + " was deleted during the read: another program writes to the array");
    }

    private static void write(Bytes bytes, WritableByteChannel out) throws IOException {
        for (ByteBuffer piece : List.copyOf(bytes.pieces())) {
            ByteBuffer remaining = piece.duplicate();
            while (remaining.hasRemaining()) {
                out.write(remaining);
            }
        }
    }

    /** The source objects that are open: at most {@link #MAX_OPEN}, the most recently used ones. */
    private final class Sources implements AutoCloseable {
        private final Map<String, ObjectSnapshot> open = new LinkedHashMap<>(16, 0.75f, true);

        /** Copies a byte range of an object. */
        void copy(Range range, WritableByteChannel out) throws IOException {
            if (range.size() == 0) {
                return;
            }
            ObjectSnapshot from = open.get(range.key());
            if (from == null) {
                from = store.open(range.key()).orElseThrow(() -> deleted(range.key()));
                open.put(range.key(), from);
            }
            if (range.offset() > from.size() - range.size()) {
                throw new StoreException(
                        "the object " + range.key() + " changed during the read: another program writes to the array");
            }
            from.transferTo(range.offset(), range.size(), out);
            if (open.size() > MAX_OPEN) {
                Iterator<ObjectSnapshot> eldest = open.values().iterator();
                ObjectSnapshot closed = eldest.next();
                eldest.remove();
                closed.close();
            }
        }

        @Override
        public void close() throws IOException {
            for (ObjectSnapshot object : open.values()) {
                object.close();
            }
        }
    }
}
