package dev.shardkit.spi.codec;

import dev.shardkit.spi.error.CorruptDataException;

/**
 * How many bytes a bytes-to-bytes codec must decode to. Nothing larger is ever allocated. Immutable and thread-safe.
 */
public sealed interface DecodedSize {
    /** That many; anything else is corrupt. */
    record Exact(long bytes) implements DecodedSize {
        @Override
        public String toString() {
            return "exactly " + bytes + " bytes";
        }
    }

    /**
     * No more than that. The size is not known, so buffers grow with what is really there.
     *
     * @param bytes the bound
     * @param limit the name of the limit that it comes from, or empty; for the message
     */
    record AtMost(long bytes, String limit) implements DecodedSize {
        @Override
        public String toString() {
            return "at most " + bytes + " bytes" + (limit.isEmpty() ? "" : " (limit " + limit + ")");
        }
    }

    /** The exact size. */
    static DecodedSize exactly(long bytes) {
        return new Exact(bytes);
    }

    /** The bound. */
    static DecodedSize atMost(long bytes) {
        return new AtMost(bytes, "");
    }

    /** The bound, and the name of the member of {@link Limits} that it comes from. */
    static DecodedSize atMost(long bytes, String limit) {
        return new AtMost(bytes, limit);
    }

    /** The most that is possible. */
    default long most() {
        return this instanceof Exact e ? e.bytes() : ((AtMost) this).bytes();
    }

    /** Whether the size is known. */
    default boolean isExact() {
        return this instanceof Exact;
    }

    /**
     * Refuses another size.
     *
     * @param what names what decodes, for the message
     */
    default void check(long found, String what) {
        if (isExact() ? found != most() : found > most()) {
            throw new CorruptDataException(what + ": expected " + this + ", found " + found);
        }
    }
}
