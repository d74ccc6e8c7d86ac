package dev.shardkit.store.s3;

import dev.shardkit.store.s3.S3Encryption.CustomerKey;
import dev.shardkit.store.s3.S3Encryption.Kms;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a store's settings (encryption, storage class, user metadata) add to requests about objects. Amazon
 * refuses a header on a request of the wrong kind, so each kind of request has its own map. Immutable.
 *
 * @param created for requests that create an object: a put, a copy, the beginning of a multipart upload
 * @param accessed for other requests that read or send an object's bytes, and for HEAD
 * @param copied for requests that copy an object or a range of it; they get these headers besides those above
 * @param secrets texts that messages must not contain
 * @param describes whether {@code created} has user metadata. A copy then gets this instead of its source's
 */
record ObjectSettings(
        Map<String, String> created,
        Map<String, String> accessed,
        Map<String, String> copied,
        Set<String> secrets,
        boolean describes) {
    /** The prefix of the headers of user metadata. */
    static final String USER = "x-amz-meta-";

    /** Copies the maps. */
    ObjectSettings {
        created = Map.copyOf(created);
        accessed = Map.copyOf(accessed);
        copied = Map.copyOf(copied);
        secrets = Set.copyOf(secrets);
    }

    static ObjectSettings of(
            @Nullable S3Encryption encryption, @Nullable String storageClass, Map<String, String> userMetadata) {
        Map<String, String> created = new TreeMap<>();
        userMetadata.forEach((name, value) -> created.put(USER + name, value));
        if (storageClass != null) {
            created.put("x-amz-storage-class", storageClass);
        }
        if (encryption instanceof CustomerKey key) {
            created.putAll(key.headers("x-amz-"));
            return new ObjectSettings(
                    created,
                    key.headers("x-amz-"),
                    key.headers("x-amz-copy-source-"),
                    key.secrets(),
                    !userMetadata.isEmpty());
        } else if (encryption instanceof Kms kms) {
            created.put("x-amz-server-side-encryption", "aws:kms");
            kms.keyId().ifPresent(id -> created.put("x-amz-server-side-encryption-aws-kms-key-id", id));
        } else if (encryption != null) { // keys that S3 manages
            created.put("x-amz-server-side-encryption", "AES256");
        }
        return new ObjectSettings(created, Map.of(), Map.of(), Set.of(), !userMetadata.isEmpty());
    }

    /** Checks the name of a piece of user metadata and its value. */
    static void check(String name, String value) {
        boolean isName = name.matches("[a-z0-9][a-z0-9._-]*") && !(USER + name).equals(S3Origin.WRITE_ID);
        boolean isText = value.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (!isName || !isText) {
            throw new IllegalArgumentException("expected user metadata with a name of lower-case letters, digits, '.',"
                    + " '_' and '-', other than " + S3Origin.WRITE_ID.substring(USER.length())
                    + ", and a value of ASCII characters; found the name \"" + name + "\"");
        }
    }
}
