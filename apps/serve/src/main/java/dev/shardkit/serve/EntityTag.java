package dev.shardkit.serve;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Snapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Entity tags (RFC 9110, section 8.8.3) from the versions of a store. They are strong: versions identify bytes. */
final class EntityTag {
    private static final int BYTES = 16;

    private EntityTag() {}

    /**
     * Returns the tag of an object; empty if its store has no versions. A hash, because a version is arbitrary text.
     */
    static Optional<String> of(Snapshot object) {
        String version;
        try {
            version = object.version();
        } catch (StoreException e) {
            return Optional.empty();
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(version.getBytes(StandardCharsets.UTF_8));
            return Optional.of("\"" + HexFormat.of().formatHex(Arrays.copyOf(hash, BYTES)) + "\"");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /**
     * Whether a list of tags in {@code If-Match} or {@code If-None-Match} names the tag.
     *
     * @param weakly whether weak tags count
     */
    static boolean names(String list, Optional<String> tag, boolean weakly) {
        if (list.strip().equals("*")) {
            return true;
        }
        return tag.isPresent()
                && Arrays.stream(list.split(","))
                        .map(String::strip)
                        .map(item -> weakly && item.startsWith("W/") ? item.substring(2) : item)
                        .anyMatch(tag.get()::equals);
    }
}
