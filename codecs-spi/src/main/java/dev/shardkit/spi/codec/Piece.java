package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;

/** A piece of a stored object's new content. Immutable and thread-safe. */
public sealed interface Piece {
    /** How many bytes. */
    long size();

    /** Bytes in memory. */
    record Literal(Bytes bytes) implements Piece {
        @Override
        public long size() {
            return bytes.size();
        }
    }

    /** Bytes of the old object, moved as they are; offsets count from the start of the source that is updated. */
    record Moved(long offset, long size) implements Piece {}

    /** Zero bytes; a store may leave a hole. */
    record Zeros(long size) implements Piece {}
}
