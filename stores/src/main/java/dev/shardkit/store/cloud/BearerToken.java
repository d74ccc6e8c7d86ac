package dev.shardkit.store.cloud;

import java.time.Duration;
import java.util.Optional;

/**
 * A bearer token, as a token server issues it. {@code toString} does not show it. Immutable.
 *
 * @param value the token
 * @param validFor how long the token is valid after the server has answered
 */
public record BearerToken(String value, Duration validFor) {
    /** The longest time for which a token is used, even if the server allows more. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Returns the token in a token server's response (RFC 6749, section 5.1); empty if there is none. */
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
