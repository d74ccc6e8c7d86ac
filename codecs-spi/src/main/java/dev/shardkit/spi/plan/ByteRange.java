package dev.shardkit.spi.plan;

/** A byte range of an object. Offsets and lengths are 64-bit, in bytes. Immutable and thread-safe. */
public sealed interface ByteRange {
    /** {@code length} bytes from {@code offset}. */
    record Slice(long offset, long length) implements ByteRange {
        /** Rejects negative numbers and an end beyond 2^63-1. */
        public Slice {
            if (offset < 0 || length < 0 || offset + length < 0) {
                throw new IllegalArgumentException("not a byte range: offset " + offset + ", length " + length);
            }
        }

        /** Returns the end (exclusive). */
        public long end() {
            return offset + length;
        }

        @Override
        public String toString() {
            return "bytes " + offset + " to " + end();
        }
    }

    /** The last {@code length} bytes; for a shorter object, the whole object. */
    record Suffix(long length) implements ByteRange {
        /** Rejects negative numbers. */
        public Suffix {
            if (length < 0) {
                throw new IllegalArgumentException("not a byte range: the last " + length);
            }
        }

        @Override
        public String toString() {
            return "the last " + length + " bytes";
        }
    }

    /**
     * The whole object.
     *
     * @param maxBytes the largest expected size in bytes
     * @param larger how to treat a larger object, without reading it
     */
    record Whole(long maxBytes, Larger larger) implements ByteRange {
        /** How to treat an object that is larger than expected. */
        public enum Larger {
            /** The object is corrupt. */
            REFUSED,
            /** The object is not read: the result has its size and no bytes. */
            SKIPPED
        }

        /** Treats objects of more than {@code maxBytes} bytes as corrupt. */
        public Whole(long maxBytes) {
            this(maxBytes, Larger.REFUSED);
        }

        /** Returns whether an object of {@code size} bytes is too large and is not read. */
        public boolean skips(long size) {
            return size > maxBytes && larger == Larger.SKIPPED;
        }

        /** Returns whether an object of {@code size} bytes is too large and therefore corrupt. */
        public boolean refuses(long size) {
            return size > maxBytes && larger == Larger.REFUSED;
        }

        @Override
        public String toString() {
            return maxBytes == Long.MAX_VALUE ? "all bytes" : "all bytes, at most " + maxBytes;
        }
    }

    /** Returns a range that covers the whole object, of any size. */
    static ByteRange whole() {
        return new Whole(Long.MAX_VALUE);
    }

    /** Returns a range that covers the whole object, which must not be larger than {@code maxBytes} bytes. */
    static ByteRange whole(long maxBytes) {
        return new Whole(maxBytes);
    }

    /**
     * Returns a range that covers the whole object; for an object larger than {@code maxBytes} bytes, only its size is
     * returned.
     */
    static ByteRange wholeUnlessLarger(long maxBytes) {
        return new Whole(maxBytes, Whole.Larger.SKIPPED);
    }
}
