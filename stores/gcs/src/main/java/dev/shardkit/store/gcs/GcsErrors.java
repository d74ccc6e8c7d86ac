package dev.shardkit.store.gcs;

import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.JsonResponse;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Interprets the error responses of Google Cloud Storage. */
final class GcsErrors {
    private static final Set<String> BUSY = Set.of("rateLimitExceeded", "userRateLimitExceeded");

    /**
     * The reasons of HTTP 403 that may mean a missing object: the server does not tell it from one that the caller may
     * not read.
     */
    private static final Set<String> FORBIDDEN = Set.of("", "forbidden", "insufficientPermissions");

    private GcsErrors() {}

    /** Parses an error response: JSON, or plain text for reads. */
    static ErrorResponse of(Response response, Collection<String> secrets) {
        byte[] body = response.body().toArray();
        Optional<JsonResponse> error = JsonResponse.parse(body).flatMap(a -> a.child("error"));
        String reason = error.flatMap(e -> e.all("errors").findFirst())
                .map(e -> e.text("reason"))
                .orElse("");
        String text = new String(body, StandardCharsets.UTF_8);
        String message = error.map(e -> e.text("message")).orElse(text.startsWith("<") ? "" : text);
        return new ErrorResponse(
                response.status(),
                ErrorResponse.plain(reason, secrets),
                ErrorResponse.plain(message, secrets) + hint(response.status()),
                ErrorResponse.plain(
                        response.headers().firstValue("X-GUploader-UploadID").orElse(""), secrets),
                OptionalLong.empty(),
                kind(response.status(), reason, message));
    }

    /** Returns the kind of an error, which decides whether the store retries. */
    private static ErrorResponse.Kind kind(int status, String reason, String message) {
        if (status == 429 || BUSY.contains(reason)) {
            return ErrorResponse.Kind.BUSY;
        } else if (ErrorResponse.passes(status)) {
            return ErrorResponse.Kind.PASSING;
        } else if (status == 412) {
            return ErrorResponse.Kind.NOT_MET;
        }
        if (status == 403 && FORBIDDEN.contains(reason)) {
            return ErrorResponse.Kind.FORBIDDEN;
        }
        return status == 404 && !isAboutTheBucket(message) ? ErrorResponse.Kind.ABSENT : ErrorResponse.Kind.FAILED;
    }

    /** Returns whether the bucket is missing; only the message shows this. */
    private static boolean isAboutTheBucket(String message) {
        String text = message.strip().toLowerCase(Locale.ROOT);
        return !text.startsWith("no such object") && text.contains("bucket does not exist");
    }

    private static String hint(int status) {
        return status == 401 ? " (the token is missing, wrong or expired)" : "";
    }
}
