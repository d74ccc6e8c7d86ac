package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.channel.GatheredWrites;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The value of an object that is to be stored. It is written piece by piece, so the whole value need not be in memory
 * at once. Used by one thread at a time.
 */
public interface Content {
    /** Returns the size in bytes. */
    long size();

    /**
     * Writes all bytes; each call writes the same bytes. A store calls this only before {@link Writes#put} returns, and
     * on the thread that called {@code put}.
     */
    void writeTo(WritableByteChannel out) throws IOException;

    /**
     * Returns the parts of the value if they are known. A store may send them after {@link Writes#put} has returned,
     * and more than once, without a waiting thread. Empty if the value can only be read by {@link #writeTo}.
     */
    default Optional<List<Part>> parts() {
        return Optional.empty();
    }

    /**
     * Passes to {@code keys} the keys of the objects of the same store whose data this value contains, and which it
     * replaces under a new key. In a store with access rights, the new object gets only rights that all of these
     * objects have. Keys without an object are ignored. By default, passes no key.
     */
    default void replaced(Consumer<String> keys) {}

    /** A part of a value. Immutable. */
    sealed interface Part {
        /** Returns the size of this part in bytes. */
        long size();

        /** Bytes in memory. */
        record Literal(Bytes bytes) implements Part {
            @Override
            public long size() {
                return bytes.size();
            }
        }

        /**
         * A range of an object of the same store. Only for stores that copy ranges ({@link Writes#copiesRanges}). If
         * the object no longer has the version, the put changes nothing and fails with {@link ObjectChangedException},
         * or its outcome is {@link WriteResult.NotMet}.
         *
         * @param key the object
         * @param version the version that the object must have, as a read has returned it
         * @param offset the first byte
         * @param size the number of bytes
         */
        record Stored(String key, String version, long offset, long size) implements Part {}
    }

    /** Returns content that is in memory. */
    static Content of(Bytes bytes) {
        return new Content() {
            @Override
            public long size() {
                return bytes.size();
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                GatheredWrites.write(bytes.pieces(), out);
            }

            @Override
            public Optional<List<Part>> parts() {
                return Optional.of(List.of(new Part.Literal(bytes)));
            }
        };
    }

    /**
     * Returns the content {@code value}, which replaces other objects ({@link #replaced}).
     *
     * @param replaced passes the keys of these objects to its argument
     */
    static Content inPlaceOf(Consumer<Consumer<String>> replaced, Content value) {
        return new Content() {
            @Override
            public long size() {
                return value.size();
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                value.writeTo(out);
            }

            @Override
            public Optional<List<Part>> parts() {
                return value.parts();
            }

            @Override
            public void replaced(Consumer<String> keys) {
                replaced.accept(keys);
            }
        };
    }

    /** Returns the content of a whole object. The snapshot must stay open while the content is used. */
    static Content of(ObjectSnapshot object) {
        return new Content() {
            @Override
            public long size() {
                return object.size();
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                object.transferTo(0, object.size(), out);
            }
        };
    }
}
