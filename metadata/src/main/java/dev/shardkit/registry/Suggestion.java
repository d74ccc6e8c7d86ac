package dev.shardkit.registry;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the known name that an unknown name probably means. Without state. */
final class Suggestion {
    private static final int LONG_NAME = 8;
    /** Names come from documents: the work for one is limited. */
    private static final int LONGEST_NAME = 64;

    private static final double CONTAINED = 0.5;

    /** Data types in the spelling of NumPy, C, Java and HDF5, by the names of the Zarr v3 specification. */
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
        String plain = name.toLowerCase(Locale.ROOT);
        if (kind == Plugin.Kind.DATA_TYPE) {
            plain = plain.replaceFirst("^[<>=|]", "").replaceFirst("_t$", "");
            String usual = DATA_TYPES.getOrDefault(plain, plain);
            if (known.contains(usual)) {
                return Optional.of(usual);
            }
        }
        String text = plain;
        return known.stream().filter(k -> k.equalsIgnoreCase(text)).findFirst().or(() -> known.stream()
                .filter(k -> isTypo(text, k))
                .findFirst());
    }

    /** Returns the members of {@code known} that are most like {@code name}, the nearest first. */
    static List<String> nearest(String name, Collection<String> known, int most) {
        String asked = core(name);
        Comparator<String> near = Comparator.comparingDouble(one -> difference(asked, core(one)));
        return known.stream()
                .sorted(near.thenComparing(Comparator.naturalOrder()))
                .limit(most)
                .toList();
    }

    /** Returns the end of a name, without a prefix such as that of a library or a URL. */
    private static String core(String name) {
        String end = name.substring(Math.max(0, name.length() - LONGEST_NAME)).toLowerCase(Locale.ROOT);
        return end.replaceFirst("^.*[./:](?=.)", "");
    }

    /** Returns the share of characters that differ; less if one name contains the other. */
    private static double difference(String a, String b) {
        boolean contains = a.contains(b) || b.contains(a);
        return distance(a, b) / (double) Math.max(1, Math.max(a.length(), b.length())) * (contains ? CONTAINED : 1);
    }

    /** Returns whether a slip or two separate the names. Another number is another type or codec, not a slip. */
    private static boolean isTypo(String name, String known) {
        int most = name.length() < LONG_NAME ? 1 : 2;
        return Math.abs(name.length() - known.length()) <= most
                && name.replaceAll("[^0-9]", "").equals(known.replaceAll("[^0-9]", ""))
                && distance(name, known) <= most;
    }

    /** Returns the number of inserted, removed, replaced or swapped characters between two short texts. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int changed = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(changed, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
