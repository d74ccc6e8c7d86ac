package dev.shardkit.store.remote.exchange;

import dev.shardkit.transport.Headers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Content-Range header (RFC 9110, section 14.4), parsed strictly: one header, the unit bytes, all three numbers.
 *
 * @param first the offset of the first byte
 * @param last the offset of the last byte
 * @param total the size of the object
 */
public record ContentRange(long first, long last, long total) {
    private static final String UNIT = "bytes ";

    /** Parses the header of a 206 response; empty if it is missing or invalid. */
    public static Optional<ContentRange> of(Headers headers) {
        String text = text(headers);
        int dash = text.indexOf('-');
        int slash = text.indexOf('/');
        if (!isInBytes(text) || dash < 0 || slash < dash) {
            return Optional.empty();
        }
        OptionalLong first = HeaderFields.number(text, UNIT.length(), dash);
        OptionalLong last = HeaderFields.number(text, dash + 1, slash);
        OptionalLong total = HeaderFields.number(text, slash + 1, text.length());
        if (first.isEmpty() || last.isEmpty() || total.isEmpty()) {
            return Optional.empty();
        }
        ContentRange range = new ContentRange(first.getAsLong(), last.getAsLong(), total.getAsLong());
        return range.first <= range.last && range.last < range.total ? Optional.of(range) : Optional.empty();
    }

    /** Returns the object's size from a 416 response, whose Content-Range has a star in place of the range. */
    public static OptionalLong unsatisfiedTotal(Headers headers) {
        String text = text(headers);
        int totalStart = UNIT.length() + 2;
        return isInBytes(text) && text.startsWith("*/", UNIT.length())
                ? HeaderFields.number(text, totalStart, text.length())
                : OptionalLong.empty();
    }

    /** Returns the value of the header; "" if there is none or more than one. */
    private static String text(Headers headers) {
        List<String> all = headers.allValues("Content-Range");
        return all.size() == 1 ? all.get(0).strip() : "";
    }

    private static boolean isInBytes(String text) {
        return text.regionMatches(true, 0, UNIT, 0, UNIT.length());
    }

    /** Returns the number of bytes in the range. */
    public long length() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return "bytes " + first + "-" + last + "/" + total;
    }
}
