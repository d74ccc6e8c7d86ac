package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;

/** A part of the new content of a stored object. Immutable and thread-safe. */
public sealed interface Piece {
    /** Returns the size in bytes. */
    long size();

    /** Bytes in memory. */
    record Literal(Bytes bytes) implements Piece {
        @Override
        public long size() {
            return bytes.size();
        }
    }

    /** Bytes of the old object, copied unchanged. Offsets count from the start of the source that is updated. */
    record Copied(long offset, long size) implements Piece {}

    /** Zero bytes; a store may leave a hole instead of writing them. */
    record Zeros(long size) implements Piece {}
}
