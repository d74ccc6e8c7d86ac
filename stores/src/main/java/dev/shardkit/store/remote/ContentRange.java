package dev.shardkit.store.remote;

import dev.shardkit.transport.Headers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Content-Range header (RFC 9110, section 14.4), parsed strictly: one header, the unit bytes, all three numbers.
 *
 * @param first the offset of the first byte
 * @param last the offset of the last byte
 * @param total the size of the object
 */
public record ContentRange(long first, long last, long total) {
    private static final Pattern SENT = Pattern.compile("(?i:bytes) ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");
    private static final Pattern UNSATISFIED = Pattern.compile("(?i:bytes) \\*/([0-9]{1,18})");

    /** Parses the header of a 206 response; empty if it is missing or invalid. */
    public static Optional<ContentRange> of(Headers headers) {
        List<String> all = headers.allValues("Content-Range");
        Matcher m = SENT.matcher(all.size() == 1 ? all.get(0).strip() : "");
        if (!m.matches()) {
            return Optional.empty();
        }
        ContentRange range =
                new ContentRange(Long.parseLong(m.group(1)), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)));
        return range.first <= range.last && range.last < range.total ? Optional.of(range) : Optional.empty();
    }

    /** Returns the object's size from a 416 response. */
    public static OptionalLong unsatisfiedTotal(Headers headers) {
        List<String> all = headers.allValues("Content-Range");
        Matcher m = UNSATISFIED.matcher(all.size() == 1 ? all.get(0).strip() : "");
        return m.matches() ? OptionalLong.of(Long.parseLong(m.group(1))) : OptionalLong.empty();
    }

    /** Returns the number of bytes. */
    public long length() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return "bytes " + first + "-" + last + "/" + total;
    }
}
