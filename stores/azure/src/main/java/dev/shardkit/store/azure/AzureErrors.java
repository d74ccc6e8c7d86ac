package dev.shardkit.store.azure;

import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Interprets Azure's error responses. */
final class AzureErrors {
    /** The codes for a conditional request whose condition does not hold. */
    private static final Set<String> NOT_MET = Set.of("BlobAlreadyExists", "ConditionNotMet", "TargetConditionNotMet");

    /**
     * The codes of HTTP 403 that may mean a missing blob: the server does not tell it from one that the caller may not
     * read.
     */
    private static final Set<String> FORBIDDEN =
            Set.of("", "AuthorizationFailure", "AuthorizationPermissionMismatch", "InsufficientAccountPermissions");

    private AzureErrors() {}

    /** Parses an error response. Its body may be empty or written by another server, such as a proxy. */
    static ErrorResponse of(Response response, Collection<String> secrets) {
        Optional<XmlElement> error = XmlElement.parse(response.body().toArray());
        String code = response.headers()
                .firstValue("x-ms-error-code")
                .or(() -> error.map(e -> e.text("Code")))
                .orElse("");
        // Further lines repeat the request's id and the time.
        String message =
                error.map(e -> e.text("Message")).orElse("").lines().findFirst().orElse("");
        return new ErrorResponse(
                response.status(),
                ErrorResponse.plain(code, secrets),
                ErrorResponse.plain(message, secrets) + hint(code),
                ErrorResponse.plain(
                        response.headers().firstValue("x-ms-request-id").orElse(""), secrets),
                OptionalLong.empty(),
                kind(response.status(), code));
    }

    /** Returns the kind of an error, which decides whether the store retries. */
    private static ErrorResponse.Kind kind(int status, String code) {
        if (status == 429 || code.equals("PendingCopyOperation")) {
            return ErrorResponse.Kind.BUSY;
        } else if (ErrorResponse.passes(status)) {
            return ErrorResponse.Kind.PASSING;
        } else if (NOT_MET.contains(code) || status == 412 && code.isEmpty()) {
            return ErrorResponse.Kind.NOT_MET;
        }
        if (status == 403 && FORBIDDEN.contains(code)) {
            return ErrorResponse.Kind.FORBIDDEN;
        }
        return status == 404 && (code.isEmpty() || code.equals("BlobNotFound"))
                ? ErrorResponse.Kind.ABSENT
                : ErrorResponse.Kind.FAILED;
    }

    private static String hint(String code) {
        return switch (code) {
            case "AuthenticationFailed" -> " (check the key or token, and the clock of this computer)";
            case "NoAuthenticationInformation", "PublicAccessNotPermitted" -> " (the container is not public)";
            default -> "";
        };
    }
}
