package dev.shardkit.store.remote.exchange;

import dev.shardkit.transport.Headers;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Derives the version of an object from the headers of a response. A version is a text. It is {@code s:} and a strong
 * ETag, which a server can enforce with If-Match. Without one, it is {@code w:} with the weak ETag, Last-Modified and
 * size, as far as available, which only the client can compare.
 *
 * <p>Last-Modified has a resolution of seconds, so alone it is a version only once its second has passed (RFC 9110,
 * section 8.8.2.2): an object that was written in the second of the response's Date may be written again within this
 * second and look the same.
 */
public final class ObjectVersion {
    private static final String STRONG = "s:";
    private static final String WEAK = "w:";

    private ObjectVersion() {}

    /** Returns the version from a response; empty if it does not identify one. */
    public static Optional<String> of(Headers headers, long total) {
        Optional<String> strong = strongTag(headers);
        if (strong.isPresent()) {
            return Optional.of(STRONG + strong.get());
        }
        Optional<String> tag = headers.firstValue("ETag").map(String::strip).filter(text -> !text.isEmpty());
        Optional<String> time =
                headers.firstValue("Last-Modified").map(String::strip).filter(text -> !text.isEmpty());
        if (tag.isEmpty() && !isSecondOver(time, headers)) {
            return Optional.empty();
        }
        return Optional.of(WEAK + tag.orElse("") + "|" + time.orElse("") + "|" + total);
    }

    /** Returns whether the server's clock, according to its Date, is past the second of {@code modified}. */
    private static boolean isSecondOver(Optional<String> modified, Headers headers) {
        Optional<Instant> lastModified = modified.flatMap(ObjectVersion::instant);
        if (lastModified.isEmpty()) {
            return false; // returns here, because parsing the Date is slow
        }
        Optional<Instant> serverTime = headers.firstValue("Date").flatMap(ObjectVersion::instant);
        return serverTime.isPresent() && !lastModified.get().plusSeconds(1).isAfter(serverTime.get());
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> strongTag(Headers headers) {
        return headers.firstValue("ETag")
                .map(String::strip)
                .filter(tag -> tag.length() > 2 && tag.startsWith("\"") && tag.endsWith("\""));
    }

    /** Returns the value of If-Match for a required version; empty if the version is not a strong ETag. */
    public static Optional<String> ifMatch(Optional<String> pin) {
        return pin.filter(version -> version.startsWith(STRONG)).map(version -> version.substring(STRONG.length()));
    }

    /** Returns whether a response without a body shows that the object no longer has the version {@code pin}. */
    static boolean contradicts(String pin, Headers headers, OptionalLong total) {
        if (pin.startsWith(STRONG)) {
            return strongTag(headers).filter(tag -> !pin.equals(STRONG + tag)).isPresent();
        }
        return total.isPresent() && !pin.endsWith("|" + total.getAsLong());
    }
}
