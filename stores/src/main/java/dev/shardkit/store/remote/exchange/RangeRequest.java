package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;

/**
 * A request to a server for a part of an object, or for its size: the kind of the request and the byte range.
 *
 * @param kind the kind of request
 * @param offset the offset of a slice
 * @param length the length of a slice or a suffix, or the maximum size of a whole object
 */
public record RangeRequest(Kind kind, long offset, long length) {
    /** The kinds of requests. */
    public enum Kind {
        /** A byte range, with a Range header. */
        SLICE,
        /** The last bytes, with a Range header. */
        SUFFIX,
        /** The last bytes, cut from the whole object, because the server does not support ranges. */
        SUFFIX_OF_WHOLE,
        /** The whole object, at most {@code length} bytes. */
        WHOLE,
        /** The whole object, or only its size if it exceeds {@code length} bytes. */
        WHOLE_UNLESS_LARGER,
        /**
         * The size, by a range of one byte. {@code length} is the number of last bytes that the read needs: a server
         * that ignores the range sends them, too.
         */
        SIZE
    }

    /** A request for the size. */
    public static final RangeRequest SIZE = new RangeRequest(Kind.SIZE, 0, 0);

    /** Returns the first request for a read of {@code range}, given the server's support of ranges. */
    public static RangeRequest of(ByteRange range, RangeSupport ranges) {
        if (range instanceof ByteRange.Slice slice) {
            return slice.length() == 0 ? SIZE : new RangeRequest(Kind.SLICE, slice.offset(), slice.length());
        } else if (range instanceof ByteRange.Suffix suffix) {
            if (suffix.length() == 0 || ranges == RangeSupport.NO_SUFFIX) {
                return new RangeRequest(Kind.SIZE, 0, suffix.length());
            }
            Kind kind = ranges == RangeSupport.NONE ? Kind.SUFFIX_OF_WHOLE : Kind.SUFFIX;
            return new RangeRequest(kind, 0, suffix.length());
        }
        ByteRange.Whole wholeRange = (ByteRange.Whole) range;
        return new RangeRequest(
                wholeRange.larger() == ByteRange.Whole.Larger.SKIPPED ? Kind.WHOLE_UNLESS_LARGER : Kind.WHOLE,
                0,
                wholeRange.maxBytes());
    }

    /** Returns whether the whole object is requested, and not a part of it. */
    boolean isWhole() {
        return kind == Kind.WHOLE || kind == Kind.WHOLE_UNLESS_LARGER;
    }

    /** Returns the number of bytes that the Range header selects. */
    public long rangeLength() {
        return kind == Kind.SIZE ? 1 : length;
    }

    /** Returns the value of the Range header; empty for a request without one. */
    public Optional<String> header() {
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
