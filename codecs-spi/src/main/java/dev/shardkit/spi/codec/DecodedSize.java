package dev.shardkit.spi.codec;

import dev.shardkit.spi.error.CorruptDataException;

/**
 * The size in bytes that a bytes-to-bytes codec must decode to. Codecs never allocate more. Immutable and thread-safe.
 */
public sealed interface DecodedSize {
    /** An exact size; any other size is corrupt data. */
    record Exact(long bytes) implements DecodedSize {
        @Override
        public String toString() {
            return "exactly " + bytes + " bytes";
        }
    }

    /**
     * An upper bound for an unknown size. Buffers grow with the actual data.
     *
     * @param bytes the bound
     * @param limit the name of the limit that sets the bound, or empty; for the message
     */
    record AtMost(long bytes, String limit) implements DecodedSize {
        @Override
        public String toString() {
            return "at most " + bytes + " bytes" + (limit.isEmpty() ? "" : " (limit " + limit + ")");
        }
    }

    /** Creates an exact size. */
    static DecodedSize exactly(long bytes) {
        return new Exact(bytes);
    }

    /** Creates an upper bound. */
    static DecodedSize atMost(long bytes) {
        return new AtMost(bytes, "");
    }

    /** Creates an upper bound that comes from the member {@code limit} of {@link Limits}. */
    static DecodedSize atMost(long bytes, String limit) {
        return new AtMost(bytes, limit);
    }

    /** Returns the largest possible size. */
    default long maxBytes() {
        return this instanceof Exact e ? e.bytes() : ((AtMost) this).bytes();
    }

    /** Returns whether the size is known. */
    default boolean isExact() {
        return this instanceof Exact;
    }

    /**
     * Rejects a different or too large size.
     *
     * @param decoder the name of the decoder, for the message
     */
    default void check(long found, String decoder) {
        if (isExact() ? found != maxBytes() : found > maxBytes()) {
            throw new CorruptDataException(decoder + ": expected " + this + ", found " + found);
        }
    }
}
