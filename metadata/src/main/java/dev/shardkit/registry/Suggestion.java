package dev.shardkit.registry;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the known name that an unknown name probably means. Stateless. */
final class Suggestion {
    /** Names of at least this many characters may have two typing errors. */
    private static final int MIN_TWO_TYPOS = 8;
    /** The maximum number of compared characters. Names come from documents, so the work for each is limited. */
    private static final int LONGEST_NAME = 64;

    /** The factor of the difference if one name contains the other. */
    private static final double CONTAINED_WEIGHT = 0.5;

    /** Maps the spelling of NumPy, C, Java and HDF5 to the name of the data type in the Zarr v3 specification. */
    private static final Map<String, String> DATA_TYPES = Map.ofEntries(
            Map.entry("b1", "bool"),
            Map.entry("?", "bool"),
            Map.entry("boolean", "bool"),
            Map.entry("i1", "int8"),
            Map.entry("i2", "int16"),
            Map.entry("i4", "int32"),
            Map.entry("i8", "int64"),
            Map.entry("u1", "uint8"),
            Map.entry("u2", "uint16"),
            Map.entry("u4", "uint32"),
            Map.entry("u8", "uint64"),
            Map.entry("f2", "float16"),
            Map.entry("f4", "float32"),
            Map.entry("f8", "float64"),
            Map.entry("c8", "complex64"),
            Map.entry("c16", "complex128"),
            Map.entry("byte", "uint8"),
            Map.entry("ubyte", "uint8"),
            Map.entry("char", "uint8"),
            Map.entry("uchar", "uint8"),
            Map.entry("sbyte", "int8"),
            Map.entry("short", "int16"),
            Map.entry("ushort", "uint16"),
            Map.entry("int", "int32"),
            Map.entry("integer", "int32"),
            Map.entry("uint", "uint32"),
            Map.entry("long", "int64"),
            Map.entry("ulong", "uint64"),
            Map.entry("half", "float16"),
            Map.entry("float", "float32"),
            Map.entry("single", "float32"),
            Map.entry("double", "float64"),
            Map.entry("complex", "complex128"),
            Map.entry("str", "string"),
            Map.entry("utf8", "string"));

    private Suggestion() {}

    /** Returns the member of {@code known} that {@code name} probably means. */
    static Optional<String> of(Plugin.Kind kind, String name, Collection<String> known) {
        String normalized = name.toLowerCase(Locale.ROOT);
        if (kind == Plugin.Kind.DATA_TYPE) {
            normalized = normalized.replaceFirst("^[<>=|]", "").replaceFirst("_t$", "");
            String standard = DATA_TYPES.getOrDefault(normalized, normalized);
            if (known.contains(standard)) {
                return Optional.of(standard);
            }
        }
        String text = normalized;
        return known.stream().filter(k -> k.equalsIgnoreCase(text)).findFirst().or(() -> known.stream()
                .filter(k -> isTypo(text, k))
                .findFirst());
    }

    /** Returns the members of {@code known} that are most like {@code name}, the nearest first. */
    static List<String> nearest(String name, Collection<String> known, int maxNames) {
        String target = lastPart(name);
        Comparator<String> byDifference = Comparator.comparingDouble(one -> difference(target, lastPart(one)));
        return known.stream()
                .sorted(byDifference.thenComparing(Comparator.naturalOrder()))
                .limit(maxNames)
                .toList();
    }

    /** Returns the end of a name, without a prefix such as that of a library or a URL. */
    private static String lastPart(String name) {
        String end = name.substring(Math.max(0, name.length() - LONGEST_NAME)).toLowerCase(Locale.ROOT);
        return end.replaceFirst("^.*[./:](?=.)", "");
    }

    /** Returns the share of characters that differ; less if one name contains the other. */
    private static double difference(String a, String b) {
        boolean contains = a.contains(b) || b.contains(a);
        return distance(a, b)
                / (double) Math.max(1, Math.max(a.length(), b.length()))
                * (contains ? CONTAINED_WEIGHT : 1);
    }

    /**
     * Returns whether one or two typing errors separate the names. Their digits must be equal: {@code int8} is no
     * misspelling of {@code int16}.
     */
    private static boolean isTypo(String name, String known) {
        int maxDistance = name.length() < MIN_TWO_TYPOS ? 1 : 2;
        return Math.abs(name.length() - known.length()) <= maxDistance
                && name.replaceAll("[^0-9]", "").equals(known.replaceAll("[^0-9]", ""))
                && distance(name, known) <= maxDistance;
    }

    /**
     * Returns the number of inserted, removed, replaced or swapped characters between two short texts
     * (Damerau-Levenshtein distance). Entry (i, j) of the table is the distance between the first i and j characters.
     */
    private static int distance(String a, String b) {
        int[][] distances = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    distances[i][j] = i + j;
                    continue;
                }
                int changed = distances[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                distances[i][j] = Math.min(changed, 1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    distances[i][j] = Math.min(distances[i][j], distances[i - 2][j - 2] + 1);
                }
            }
        }
        return distances[a.length()][b.length()];
    }
}
