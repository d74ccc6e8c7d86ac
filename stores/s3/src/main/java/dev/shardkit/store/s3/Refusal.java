package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.remote.Secrets;
import dev.shardkit.transport.Headers;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * An answer that is no success.
 *
 * @param status the HTTP status code
 * @param code S3's name of the error, such as {@code NoSuchKey}; "" if there is none
 * @param message S3's explanation
 * @param region the region that the server names; "" if it names none
 * @param size the size of the object that the server names; "" if it names none
 * @param requestId identifies the request for the people who run the server
 */
record Refusal(int status, String code, String message, String region, String size, String requestId) {
    private static final int LONGEST = 300;
    /** Codes of failures that pass, whatever their status. */
    private static final Set<String> PASSING = Set.of(
            "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "Throttling", "ThrottlingException");

    private static final Set<Integer> PASSING_STATUS = Set.of(408, 429, 500, 502, 503, 504);
    /** The server has not acted on such requests. */
    private static final Set<String> NOT_BEGUN =
            Set.of("SlowDown", "ConditionalRequestConflict", "OperationAborted", "Throttling", "ThrottlingException");

    /** Parses an answer; its body may be empty or not from S3. */
    static Refusal of(int status, Headers headers, byte[] body, Collection<String> secrets) {
        Optional<Xml> error = Xml.parse(body)
                .map(root -> root.name().equals("Error")
                        ? root
                        : root.all("Error").findFirst().orElse(root));
        String region = headers.firstValue("x-amz-bucket-region")
                .or(() -> error.map(e -> e.text("Region")))
                .orElse("");
        String id = headers.firstValue("x-amz-request-id")
                .or(() -> error.map(e -> e.text("RequestId")))
                .orElse("");
        return new Refusal(
                status,
                plain(error.map(e -> e.text("Code")).orElse(""), secrets),
                plain(error.map(e -> e.text("Message")).orElse(""), secrets),
                region,
                error.map(e -> e.text("ActualObjectSize")).orElse(""),
                plain(id, secrets));
    }

    private static String plain(String text, Collection<String> secrets) {
        String clean = Secrets.clean(text, secrets).replaceAll("[^ -~]", "?").strip();
        return clean.length() > LONGEST ? clean.substring(0, LONGEST) + "..." : clean;
    }

    /** Whether the request may succeed if it is sent again. */
    boolean passes() {
        return status == 409 && !code.equals("BucketAlreadyExists")
                || PASSING_STATUS.contains(status)
                || PASSING.contains(code);
    }

    /** Whether the server may have acted on the request. */
    boolean mayHaveActed() {
        return !NOT_BEGUN.contains(code) && status != 409 && status != 429;
    }

    /** Returns the facts for a message. */
    String describe() {
        String text = "HTTP " + status + (code.isEmpty() ? "" : " " + code) + (message.isEmpty() ? "" : ": " + message);
        return text + hint() + (requestId.isEmpty() ? "" : " (request id " + requestId + ")");
    }

    private String hint() {
        return switch (code) {
            case "RequestTimeTooSkewed" -> " (check the clock of this computer)";
            case "ExpiredToken" -> " (renew the credentials)";
            default -> "";
        };
    }

    /** Returns the error about a request. */
    StoreException failure(String what) {
        return new StoreException(what + ": " + describe());
    }
}
