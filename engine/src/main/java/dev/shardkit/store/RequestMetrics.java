package dev.shardkit.store;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The figures of one request to a server. An operation with retries or redirects has several.
 *
 * @param operation the operation, without secrets, such as {@code GET c/0/0 (bytes 0 to 100) from https://example.org}
 * @param host the host, with the port if it is not the usual one
 * @param status the status code; empty if no answer came
 * @param queued how long the request waited for others, because of the limits of the store and its host
 * @param latency how long after the request the answer began; empty if no answer came
 * @param duration how long the request took, from sending to its end, without {@code queued}
 * @param received the number of bytes of the answer's body
 */
public record RequestMetrics(
        String operation,
        String host,
        OptionalInt status,
        Duration queued,
        Optional<Duration> latency,
        Duration duration,
        long received) {}
