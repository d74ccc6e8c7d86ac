package dev.shardkit.store.s3;

import java.util.Optional;

/**
 * An access key of Amazon or of another S3 server, with which requests are signed. {@link #toString} shows no secret.
 * Immutable.
 *
 * @param accessKeyId the public part
 * @param secretAccessKey the secret part
 * @param sessionToken the session token of a temporary key; empty for a permanent one
 */
public record AccessKey(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
    /** Throws {@link IllegalArgumentException} if a part is blank. */
    public AccessKey {
        if (accessKeyId.isBlank() || secretAccessKey.isBlank()) {
            throw new IllegalArgumentException("expected an access key id and a secret access key, found a blank one");
        }
    }

    /** Returns an access key without a session token. */
    public static AccessKey of(String accessKeyId, String secretAccessKey) {
        return new AccessKey(accessKeyId, secretAccessKey, Optional.empty());
    }

    @Override
    public String toString() {
        return "access key " + accessKeyId;
    }
}
