package dev.shardkit.store.internal;

import java.util.List;

/** The rules for keys (Zarr core specification, "Stores"), checked before a key comes near a path or a URL. */
public final class Keys {
    /** What names begin with that the file store keeps beside its objects: lock files, unfinished writes. */
    public static final String RESERVED = "__shardkit";

    private Keys() {}

    /**
     * The names in {@code key}, from the root.
     *
     * @throws IllegalArgumentException if it is no key
     */
    public static List<String> parts(String key) {
        List<String> parts = List.of(key.split("/", -1));
        for (String part : parts) {
            String wrong = wrong(part);
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException("not a key: \"" + printable(key) + "\": " + wrong);
            }
        }
        return parts;
    }

    /** The names in {@code prefix}, of which there are none in the root's. */
    public static List<String> prefixParts(String prefix) {
        return prefix.isEmpty() ? List.of() : parts(prefix);
    }

    private static String wrong(String part) {
        if (part.isEmpty()) {
            return "expected names with single slashes between them, found an empty name";
        } else if (part.chars().allMatch(c -> c == '.')) {
            return "a name of periods only";
        } else if (part.startsWith(RESERVED)) {
            return "names that begin with " + RESERVED + " belong to the store";
        }
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < part.length()
                    && Character.isLowSurrogate(part.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                return "a character that is none (U+" + String.format("%04X", (int) c) + ")";
            }
            i += pair ? 1 : 0;
        }
        return "";
    }

    private static String printable(String key) {
        StringBuilder text = new StringBuilder();
        key.chars().limit(200).forEach(c -> text.append(c < ' ' || Character.isSurrogate((char) c) ? '?' : (char) c));
        return key.length() > 200 ? text.append("...").toString() : text.toString();
    }
}
