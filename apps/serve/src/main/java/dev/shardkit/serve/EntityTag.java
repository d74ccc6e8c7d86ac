package dev.shardkit.serve;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectSnapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Makes entity tags (RFC 9110, section 8.8.3) from the versions of a store, and compares them. The tags are strong,
 * because objects with equal versions have the same bytes.
 */
final class EntityTag {
    /** The number of bytes of the SHA-256 hash that are kept. */
    private static final int HASH_BYTES = 16;

    private EntityTag() {}

    /**
     * Returns the tag of an object; empty if its store has no versions. The tag is a hash, because a version may be any
     * text.
     */
    static Optional<String> of(ObjectSnapshot object) {
        String version;
        try {
            version = object.version();
        } catch (StoreException e) {
            return Optional.empty();
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(version.getBytes(StandardCharsets.UTF_8));
            return Optional.of("\"" + HexFormat.of().formatHex(Arrays.copyOf(hash, HASH_BYTES)) + "\"");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /**
     * Whether a list of tags in {@code If-Match} or {@code If-None-Match} contains the tag.
     *
     * @param matchesWeak whether weak tags match too
     */
    static boolean listContains(String list, Optional<String> tag, boolean matchesWeak) {
        if (list.strip().equals("*")) {
            return true;
        }
        return tag.isPresent()
                && Arrays.stream(list.split(","))
                        .map(String::strip)
                        .map(item -> matchesWeak && item.startsWith("W/") ? item.substring(2) : item)
                        .anyMatch(tag.get()::equals);
    }
}
