package dev.shardkit.store.cloud;

import java.time.Duration;
import java.util.Optional;

/**
 * A bearer token. {@code toString} does not show it. Immutable.
 *
 * @param value the token
 * @param validFor how long it is valid from now on
 */
public record BearerToken(String value, Duration validFor) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Reads the answer of a token server (RFC 6749, section 5.1); empty if it has no token. */
    public static Optional<BearerToken> of(JsonResponse answer) {
        String value = answer.text("access_token");
        String seconds = answer.text("expires_in");
        Duration valid = seconds.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(seconds)) : Duration.ZERO;
        return value.isEmpty()
                ? Optional.empty()
                : Optional.of(new BearerToken(value, valid.compareTo(LONGEST) > 0 ? LONGEST : valid));
    }

    @Override
    public String toString() {
        return "a token valid for " + validFor;
    }
}
