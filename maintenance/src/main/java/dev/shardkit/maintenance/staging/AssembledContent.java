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
 * The content of a new object that consists of byte ranges of other objects, in a frame: a header or a shard index
 * around them. Ranges that the store copies itself never enter memory. Ranges that are adjacent in one object are
 * copied together. Used by one thread.
 */
final class AssembledContent implements Content {
    private static final int MAX_OPEN = 16;

    private final BlockingStore store;
    private final Frame frame;
    private final int count;
    private final IntFunction<Part> parts;
    private final long size;

    /** A part of the content. */
    sealed interface Part {
        long size();
    }

    /** No bytes. */
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

    /** Bytes of an object. */
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
            Range open = new Range("", 0, 0);
            for (int position = 0; position < count; position++) {
                Part next = parts.apply(frame.order().applyAsInt(position));
                if (next instanceof Range r
                        && r.key().equals(open.key())
                        && r.offset() == open.offset() + open.size()) {
                    open = new Range(open.key(), open.offset(), open.size() + r.size());
                } else if (next.size() > 0) {
                    sources.move(open, out);
                    open = next instanceof Range r ? r : new Range("", 0, 0);
                    if (next instanceof Literal l) {
                        write(l.bytes(), out);
                    }
                }
            }
            sources.move(open, out);
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
            if (next instanceof Range r) {
                String version = versions.computeIfAbsent(r.key(), this::version);
                all.add(new Content.Part.Stored(r.key(), version, r.offset(), r.size()));
            } else if (next instanceof Literal l) {
                all.add(new Content.Part.Literal(l.bytes()));
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
            ByteBuffer left = piece.duplicate();
            while (left.hasRemaining()) {
                out.write(left);
            }
        }
    }

    /** The open objects: at most {@link #MAX_OPEN}, those used last. */
    private final class Sources implements AutoCloseable {
        private final Map<String, ObjectSnapshot> open = new LinkedHashMap<>(16, 0.75f, true);

        void move(Range range, WritableByteChannel out) throws IOException {
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
            for (ObjectSnapshot s : open.values()) {
                s.close();
            }
        }
    }
}
