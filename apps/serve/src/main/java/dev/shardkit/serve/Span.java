package dev.shardkit.serve;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A byte range of an object.
 *
 * @param from the first byte
 * @param length the number of bytes
 */
record Span(long from, long length) {
    private static final Pattern RANGE = Pattern.compile("(?i:bytes)=([0-9]*)-([0-9]*)");
    private static final int LONG_DIGITS = 18;

    /**
     * Returns the bytes that a {@code Range} header requests (RFC 9110, section 14.2). Empty for the whole object: a
     * server ignores headers that it does not understand, and this one does not send several ranges in one answer.
     *
     * @throws Unsatisfiable if the range has no byte of the object
     */
    static Optional<Span> of(String header, long size) throws Unsatisfiable {
        Matcher range = RANGE.matcher(header.strip());
        if (!range.matches() || range.group(1).isEmpty() && range.group(2).isEmpty()) {
            return Optional.empty();
        } else if (range.group(1).isEmpty()) {
            long length = Math.min(size, number(range.group(2)));
            return Optional.of(satisfied(size - length, size, size));
        }
        long from = number(range.group(1));
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE - 1 : number(range.group(2));
        return last < from ? Optional.empty() : Optional.of(satisfied(from, Math.min(size, last + 1), size));
    }

    private static Span satisfied(long from, long end, long size) throws Unsatisfiable {
        if (from >= end || from >= size) {
            throw new Unsatisfiable();
        }
        return new Span(from, end - from);
    }

    /** Numbers beyond those of a {@code long} are beyond every object too. */
    private static long number(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > LONG_DIGITS ? Long.MAX_VALUE - 1 : Long.parseLong(significant);
    }

    /** The range has no byte of the object: status 416. */
    static final class Unsatisfiable extends Exception {
        private static final long serialVersionUID = 1;
    }
}
