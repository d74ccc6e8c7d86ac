package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.ListingPage;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Interprets S3's error responses by their status and by the code in their XML document. */
final class S3Errors {
    /** Codes of temporary failures on which the server may have acted, regardless of their status. */
    private static final Set<String> PASSING = Set.of("RequestTimeout", "InternalError", "ServiceUnavailable");

    /** The codes of 404 for a missing object or upload. The response to HEAD has no document, so its code is "". */
    private static final Set<String> ABSENT = Set.of("", "NoSuchKey", "NoSuchVersion", "NoSuchUpload", "NotFound");

    /** The codes of 403 that a server may also send for a missing object, to hide which objects exist. */
    private static final Set<String> FORBIDDEN = Set.of("", "AccessDenied", "Forbidden");

    /** Codes of temporary failures of requests on which the server has certainly not acted. */
    private static final Set<String> BUSY = Set.of(
            "SlowDown",
            "ConditionalRequestConflict",
            "OperationAborted",
            "Throttling",
            "ThrottlingException",
            "BadDigest", // the bytes were damaged on their way
            "XAmzContentChecksumMismatch");

    private S3Errors() {}

    /**
     * Parses a response. Its body may be empty, or come from a proxy instead of S3.
     *
     * @param secrets texts that the response may repeat and that messages must not show
     * @param moves receives the region that the server names, and returns whether later requests go there
     */
    static ErrorResponse of(Response response, Set<String> secrets, Predicate<String> moves) {
        Optional<XmlElement> error = XmlElement.parse(response.body().toArray())
                .map(root -> root.name().equals("Error")
                        ? root
                        : root.all("Error").findFirst().orElse(root));
        String code = ErrorResponse.plain(error.map(root -> root.text("Code")).orElse(""), secrets);
        String region = response.headers()
                .firstValue("x-amz-bucket-region")
                .or(() -> error.map(root -> root.text("Region")))
                .orElse("");
        boolean elsewhere = response.status() == 301
                || response.status() == 307
                || code.equals("AuthorizationHeaderMalformed")
                || response.status() == 400 && code.isEmpty(); // the response to HEAD has no body
        boolean moved = elsewhere && moves.test(region);
        String message =
                ErrorResponse.plain(error.map(root -> root.text("Message")).orElse(""), secrets) + hint(code);
        return new ErrorResponse(
                response.status(),
                code,
                moved ? "the bucket is in region " + region : message,
                ErrorResponse.plain(
                        response.headers()
                                .firstValue("x-amz-request-id")
                                .or(() -> error.map(root -> root.text("RequestId")))
                                .orElse(""),
                        secrets),
                ListingPage.size(
                        error.map(root -> root.text("ActualObjectSize")).orElse("")),
                moved ? ErrorResponse.Kind.ELSEWHERE : kind(response.status(), code));
    }

    private static ErrorResponse.Kind kind(int status, String code) {
        if (status == 409 && !code.equals("BucketAlreadyExists") || status == 429 || BUSY.contains(code)) {
            return ErrorResponse.Kind.BUSY;
        } else if (ErrorResponse.passes(status) || PASSING.contains(code)) {
            return ErrorResponse.Kind.PASSING;
        } else if (status == 412) {
            return ErrorResponse.Kind.NOT_MET;
        }
        if (status == 403 && FORBIDDEN.contains(code)) {
            return ErrorResponse.Kind.FORBIDDEN;
        }
        return status == 404 && ABSENT.contains(code) ? ErrorResponse.Kind.ABSENT : ErrorResponse.Kind.FAILED;
    }

    private static String hint(String code) {
        return switch (code) {
            case "RequestTimeTooSkewed" -> " (check the clock of this computer)";
            case "ExpiredToken" -> " (renew the credentials)";
            default -> "";
        };
    }
}
