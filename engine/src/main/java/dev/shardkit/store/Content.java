package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * The value to be stored: written out piece by piece, so that it need not be in memory at once. Used by one thread at a
 * time.
 */
public interface Content {
    /** How many bytes. */
    long size();

    /**
     * Writes all of it, the same bytes each time it is called. A store calls it before {@link Writes#put} returns, on
     * the thread that called that, and not afterwards.
     */
    void writeTo(WritableByteChannel out) throws IOException;

    /**
     * The parts that it is made of, if they are known: a store may send them later and again, without a thread that
     * waits. Empty if it can only be written out.
     */
    default Optional<List<Part>> parts() {
        return Optional.empty();
    }

    /** A part of a value. Immutable. */
    sealed interface Part {
        /** How many bytes it adds. */
        long size();

        /** Bytes that are here. */
        record Literal(Bytes bytes) implements Part {
            @Override
            public long size() {
                return bytes.size();
            }
        }

        /**
         * A range of an object of the store, for those that copy such ranges ({@link Writes#copiesRanges}).
         *
         * @param key the object
         * @param version that it must have, as a read has told it
         * @param offset the first byte
         * @param size how many
         */
        record Stored(String key, String version, long offset, long size) implements Part {}
    }

    /** Bytes that are here. */
    static Content of(Bytes bytes) {
        return new Content() {
            @Override
            public long size() {
                return bytes.size();
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                for (ByteBuffer piece : bytes.pieces()) {
                    while (piece.hasRemaining()) {
                        out.write(piece);
                    }
                }
            }

            @Override
            public Optional<List<Part>> parts() {
                return Optional.of(List.of(new Part.Literal(bytes)));
            }
        };
    }

    /** The whole of an object, which stays open as long as the content is used. */
    static Content of(Snapshot object) {
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
