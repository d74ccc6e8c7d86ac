package dev.shardkit.store.http;

import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;

/**
 * What one request asks for.
 *
 * @param kind in which way
 * @param offset of a slice
 * @param length of a slice or a suffix, or the most that a whole object may have
 */
record Ask(Kind kind, long offset, long length) {
    enum Kind {
        /** A range, by Range. */
        SLICE,
        /** The last bytes, by Range. */
        SUFFIX,
        /** The last bytes, cut from the whole: the server has no ranges. */
        SUFFIX_OF_WHOLE,
        /** Everything, of at most {@code length} bytes. */
        WHOLE,
        /** Everything, or the size alone if there are more than {@code length} bytes. */
        WHOLE_UNLESS_LARGER,
        /** How large it is, by a range of one byte; {@code length} of the last bytes are wanted in the end. */
        SIZE
    }

    static final Ask SIZE = new Ask(Kind.SIZE, 0, 0);

    /** How a range is best asked for. */
    static Ask of(ByteRange range, Ranges ranges) {
        if (range instanceof ByteRange.Slice s) {
            return s.length() == 0 ? SIZE : new Ask(Kind.SLICE, s.offset(), s.length());
        } else if (range instanceof ByteRange.Suffix s) {
            if (s.length() == 0 || ranges == Ranges.NO_SUFFIX) {
                return new Ask(Kind.SIZE, 0, s.length());
            }
            return new Ask(ranges == Ranges.NONE ? Kind.SUFFIX_OF_WHOLE : Kind.SUFFIX, 0, s.length());
        }
        ByteRange.Whole whole = (ByteRange.Whole) range;
        return new Ask(
                whole.larger() == ByteRange.Whole.Larger.LEFT ? Kind.WHOLE_UNLESS_LARGER : Kind.WHOLE, 0, whole.most());
    }

    /** How many bytes the Range header names. */
    long named() {
        return kind == Kind.SIZE ? 1 : length;
    }

    /** The value of the Range header. */
    Optional<String> header() {
        return switch (kind) {
            case SLICE -> Optional.of("bytes=" + offset + "-" + (offset + length - 1));
            case SUFFIX -> Optional.of("bytes=-" + length);
            case SIZE -> Optional.of("bytes=0-0");
            case WHOLE, WHOLE_UNLESS_LARGER, SUFFIX_OF_WHOLE -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return switch (kind) {
            case SLICE -> "bytes " + offset + " to " + (offset + length);
            case SUFFIX, SUFFIX_OF_WHOLE -> "the last " + length + " bytes";
            case SIZE -> "its size";
            case WHOLE, WHOLE_UNLESS_LARGER -> "all bytes";
        };
    }
}
