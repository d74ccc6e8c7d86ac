package dev.shardkit.store.s3;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the server encrypts the objects of a bucket at rest. {@code toString} shows no secret. Immutable.
 *
 * <p>Not to be implemented outside this package.
 */
public sealed interface S3Encryption {
    /** Returns encryption with keys that S3 manages (SSE-S3). */
    static S3Encryption managed() {
        return new Managed();
    }

    /** Returns encryption with the default key of AWS's Key Management Service (SSE-KMS). */
    static S3Encryption kms() {
        return new Kms(Optional.empty());
    }

    /** Returns encryption with a key of AWS's Key Management Service (SSE-KMS), by its id, alias or ARN. */
    static S3Encryption kms(String keyId) {
        return new Kms(Optional.of(keyId));
    }

    /**
     * Returns encryption with a key that each request carries (SSE-C). The same key is needed to read. Servers accept
     * it over TLS only.
     *
     * @param key the AES-256 key, 32 bytes; copied
     */
    static S3Encryption customerKey(byte[] key) {
        return new CustomerKey(key);
    }

    /** SSE-S3. */
    record Managed() implements S3Encryption {}

    /**
     * SSE-KMS.
     *
     * @param keyId the key; empty for the default one
     */
    record Kms(Optional<String> keyId) implements S3Encryption {}

    /** SSE-C. */
    final class CustomerKey implements S3Encryption {
        private final String key;
        private final String digest;

        private CustomerKey(byte[] key) {
            if (key.length != 32) {
                throw new IllegalArgumentException("expected an AES-256 key of 32 bytes, found " + key.length);
            }
            this.key = Base64.getEncoder().encodeToString(key);
            try {
                this.digest = Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("MD5").digest(key));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has MD5", e);
            }
        }

        /**
         * Returns the headers that carry the key.
         *
         * @param prefix {@code x-amz-} for the key of the object itself, {@code x-amz-copy-source-} for that of the
         *     object that is copied
         */
        Map<String, String> headers(String prefix) {
            return new TreeMap<>(Map.of(
                    prefix + "server-side-encryption-customer-algorithm",
                    "AES256",
                    prefix + "server-side-encryption-customer-key",
                    key,
                    prefix + "server-side-encryption-customer-key-MD5",
                    digest));
        }

        Set<String> secrets() {
            return Set.of(key);
        }

        @Override
        public String toString() {
            return "CustomerKey[]";
        }
    }
}
