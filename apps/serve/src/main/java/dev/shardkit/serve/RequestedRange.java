package dev.shardkit.serve;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The byte range of an object that a request asks for.
 *
 * @param start the first byte
 * @param length the number of bytes
 */
record RequestedRange(long start, long length) {
    private static final Pattern RANGE = Pattern.compile("(?i:bytes)=([0-9]*)-([0-9]*)");
    /** Every number of this many digits fits into a long. */
    private static final int LONG_DIGITS = 18;

    /**
     * Parses a {@code Range} header (RFC 9110, section 14.2). Returns empty if the whole object must be sent: for
     * headers that are not understood, and for several ranges, which this server does not support.
     *
     * @throws Unsatisfiable if the range has no byte of the object
     */
    static Optional<RequestedRange> parse(String header, long size) throws Unsatisfiable {
        Matcher range = RANGE.matcher(header.strip());
        if (!range.matches() || range.group(1).isEmpty() && range.group(2).isEmpty()) {
            return Optional.empty();
        } else if (range.group(1).isEmpty()) { // "bytes=-N" requests the last N bytes
            long length = Math.min(size, parseClamped(range.group(2)));
            return Optional.of(requireSatisfiable(size - length, size, size));
        }
        long start = parseClamped(range.group(1));
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE - 1 : parseClamped(range.group(2));
        return last < start ? Optional.empty() : Optional.of(requireSatisfiable(start, Math.min(size, last + 1), size));
    }

    private static RequestedRange requireSatisfiable(long start, long end, long size) throws Unsatisfiable {
        if (start >= end || start >= size) {
            throw new Unsatisfiable();
        }
        return new RequestedRange(start, end - start);
    }

    /** Parses a number. Numbers that exceed a {@code long} exceed the size of every object, so they are clamped. */
    private static long parseClamped(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > LONG_DIGITS ? Long.MAX_VALUE - 1 : Long.parseLong(significant);
    }

    /** Thrown if the range has no byte of the object; the status is 416. */
    static final class Unsatisfiable extends Exception {
        private static final long serialVersionUID = 1;
    }
}
