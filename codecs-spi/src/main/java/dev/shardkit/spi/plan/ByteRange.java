package dev.shardkit.spi.plan;

/** Which bytes of an object are wanted. Offsets and lengths are in bytes, 64-bit. Immutable and thread-safe. */
public sealed interface ByteRange {
    /** {@code length} bytes from {@code offset}. */
    record Slice(long offset, long length) implements ByteRange {
        /** Refuses negative numbers and an end beyond 2^63-1. */
        public Slice {
            if (offset < 0 || length < 0 || offset + length < 0) {
                throw new IllegalArgumentException("not a byte range: offset " + offset + ", length " + length);
            }
        }

        /** The first offset behind it. */
        public long end() {
            return offset + length;
        }

        @Override
        public String toString() {
            return "bytes " + offset + " to " + end();
        }
    }

    /** The last {@code length} bytes; of a shorter object, all of it. */
    record Suffix(long length) implements ByteRange {
        /** Refuses negative numbers. */
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
     * @param most how many bytes an object may have
     * @param larger what becomes of an object of more bytes, before it is read
     */
    record Whole(long most, Larger larger) implements ByteRange {
        /** What becomes of an object that is larger than expected. */
        public enum Larger {
            /** It is corrupt. */
            REFUSED,
            /** It is not read: the answer has no bytes, and the object's size. */
            LEFT
        }

        /** Refuses objects of more than {@code most} bytes. */
        public Whole(long most) {
            this(most, Larger.REFUSED);
        }

        /** Whether an object of {@code size} bytes is larger, and left unread. */
        public boolean leaves(long size) {
            return size > most && larger == Larger.LEFT;
        }

        /** Whether an object of {@code size} bytes is larger, and corrupt. */
        public boolean refuses(long size) {
            return size > most && larger == Larger.REFUSED;
        }

        @Override
        public String toString() {
            return most == Long.MAX_VALUE ? "all bytes" : "all bytes, at most " + most;
        }
    }

    /** The whole object, however large. */
    static ByteRange whole() {
        return new Whole(Long.MAX_VALUE);
    }

    /** The whole object, which cannot be larger than {@code most} bytes. */
    static ByteRange whole(long most) {
        return new Whole(most);
    }

    /** The whole object, or nothing of it but its size if it is larger than {@code most} bytes. */
    static ByteRange wholeUnlessLarger(long most) {
        return new Whole(most, Whole.Larger.LEFT);
    }
}
