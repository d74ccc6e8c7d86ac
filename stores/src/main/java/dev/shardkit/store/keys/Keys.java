package dev.shardkit.store.keys;

import dev.shardkit.spi.StoreKeys;
import java.util.List;
import java.util.Set;

/** Validates keys of objects (Zarr core specification, "Stores") before they become part of a path or a URL. */
public final class Keys {
    /** The prefix of all names that stores reserve for themselves: lock files, journals, temporary files. */
    public static final String RESERVED = "__shardkit";

    /** The names of the documents that describe an array or group in its folder (Zarr v3 and v2). */
    private static final Set<String> DOCUMENTS = Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

    private Keys() {}

    /** Returns the names of the documents of a node. */
    public static Set<String> documents() {
        return DOCUMENTS;
    }

    /** Returns whether the last name of {@code key} is that of a node's document. */
    public static boolean isDocument(String key) {
        return DOCUMENTS.contains(StoreKeys.name(key));
    }

    /**
     * Returns the names in {@code key}, from the root.
     *
     * @throws IllegalArgumentException if {@code key} is invalid
     */
    public static List<String> parts(String key) {
        List<String> parts = List.of(key.split("/", -1));
        for (String name : parts) {
            String problem = problemWith(name);
            if (!problem.isEmpty()) {
                throw new IllegalArgumentException("not a key: \"" + printable(key) + "\": " + problem);
            }
        }
        return parts;
    }

    /** Throws {@code IllegalArgumentException} if {@code key} is invalid. */
    public static void check(String key) {
        parts(key);
    }

    /** Throws {@code IllegalArgumentException} unless {@code prefix} is a key or empty. */
    public static void checkPrefix(String prefix) {
        prefixParts(prefix);
    }

    /** Returns the names in {@code prefix}; none for the root, whose prefix is empty. */
    public static List<String> prefixParts(String prefix) {
        return prefix.isEmpty() ? List.of() : parts(prefix);
    }

    /** Returns what is wrong with a name; "" if it is valid. */
    private static String problemWith(String name) {
        if (name.isEmpty()) {
            return "expected names separated by single slashes, found an empty name";
        } else if (isPeriods(name)) {
            return "a name of periods only";
        } else if (name.startsWith(RESERVED)) {
            return "names that begin with " + RESERVED + " are reserved for the store";
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < name.length()
                    && Character.isLowSurrogate(name.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                return "an invalid character (U+" + String.format("%04X", (int) c) + ")";
            }
            i += pair ? 1 : 0; // skips the second half of the pair
        }
        return "";
    }

    private static boolean isPeriods(String name) {
        int i = 0;
        while (i < name.length() && name.charAt(i) == '.') {
            i++;
        }
        return i == name.length();
    }

    /** Returns a key for a message: at most 200 characters, without control characters. */
    private static String printable(String key) {
        StringBuilder text = new StringBuilder();
        key.chars().limit(200).forEach(c -> text.append(c < ' ' || Character.isSurrogate((char) c) ? '?' : (char) c));
        return key.length() > 200 ? text.append("...").toString() : text.toString();
    }
}
