package dev.shardkit.store.remote.exchange;

import dev.shardkit.transport.Headers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;

/** Parses values of response header fields (RFC 9110). Malformed values count as missing. Stateless. */
public final class HeaderFields {
    /** The maximum number of digits of a number that certainly fits into a long. */
    private static final int MAX_DIGITS = 18;

    private HeaderFields() {}

    /** Returns the size of the body in bytes (section 8.6). */
    static OptionalLong contentLength(Headers headers) {
        String text = headers.firstValue("Content-Length").orElse("").strip();
        return number(text, 0, text.length());
    }

    /** Returns the number from {@code start} to {@code end} of a text: 1 to 18 digits, and nothing else. */
    static OptionalLong number(String text, int start, int end) {
        if (start >= end || end - start > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return OptionalLong.empty();
            }
            value = 10 * value + digit;
        }
        return OptionalLong.of(value);
    }

    /** Returns how long the server asks to wait (section 10.2.3). */
    public static Optional<Duration> retryAfter(Headers headers) {
        String text = headers.firstValue("Retry-After").map(String::strip).orElse("");
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration remaining = Duration.between(Instant.now(), date);
            return Optional.of(remaining.isNegative() ? Duration.ZERO : remaining);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
