package dev.shardkit.store.remote;

import dev.shardkit.transport.Headers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;

/** Values of response header fields (RFC 9110). Malformed values count as missing. Without state. */
final class Fields {
    private Fields() {}

    /** Returns the size of the body in bytes (section 8.6). */
    static OptionalLong contentLength(Headers headers) {
        String text = headers.firstValue("Content-Length").map(String::strip).orElse("");
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** Returns how long the server asks to wait (section 10.2.3). */
    static Optional<Duration> retryAfter(Headers headers) {
        String text = headers.firstValue("Retry-After").map(String::strip).orElse("");
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration left = Duration.between(Instant.now(), date);
            return Optional.of(left.isNegative() ? Duration.ZERO : left);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
