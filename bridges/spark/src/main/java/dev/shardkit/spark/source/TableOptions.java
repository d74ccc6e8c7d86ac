package dev.shardkit.spark.source;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

/** The options of the data source: their names, and checks of what a user set. Stateless. */
final class TableOptions {
    static final String ROWS = "rows";
    static final String MISSING = "missing";
    static final String TIMES = "times";
    static final String MAX_PARTITION_BYTES = "maxPartitionBytes";
    static final String DIMENSIONS = "dimensions";
    static final String SHAPE = "shape";
    static final String CHUNK_SHAPE = "chunkShape";
    static final String SHARD_SHAPE = "shardShape";
    static final String GAP = "gap";
    static final String DECODE = "decode";
    static final String VARIABLES = "variables";
    static final String PARTITION_OVERWRITE_MODE = "partitionOverwriteMode";

    private static final String PATH = "path";
    private static final List<String> OF_READS =
            List.of(PATH, ROWS, MISSING, TIMES, MAX_PARTITION_BYTES, DECODE, VARIABLES);
    private static final List<String> OF_WRITES = List.of(
            PATH,
            ROWS,
            MISSING,
            TIMES,
            MAX_PARTITION_BYTES,
            DECODE,
            VARIABLES,
            DIMENSIONS,
            SHAPE,
            CHUNK_SHAPE,
            SHARD_SHAPE,
            GAP,
            PARTITION_OVERWRITE_MODE);
    /** The options that Spark's catalogs add to those of a table. */
    private static final Set<String> OF_CATALOGS = Set.of(
            "provider",
            "location",
            "owner",
            "external",
            "is_managed_location",
            "comment",
            "collation",
            "table_type",
            "transient_lastddltime");

    private TableOptions() {}

    /** Returns the maximum number of decoded bytes of a partition. */
    static OptionalLong maxPartitionBytes(CaseInsensitiveStringMap options) {
        String text = options.get(MAX_PARTITION_BYTES);
        if (text == null) {
            return OptionalLong.empty();
        }
        long bytes;
        try {
            bytes = JavaUtils.byteStringAsBytes(text);
        } catch (NumberFormatException e) {
            bytes = 0;
        }
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "option " + MAX_PARTITION_BYTES + ": expected a size such as 128m, found '" + text + "'");
        }
        return OptionalLong.of(bytes);
    }

    /** Refuses options that reads do not support. */
    static void checkRead(CaseInsensitiveStringMap options) {
        check("reads", options, OF_READS);
    }

    /** Refuses options that neither writes nor reads support. A table of a catalog has the options of both. */
    static void checkWrite(CaseInsensitiveStringMap options) {
        check("writes", options, OF_WRITES);
    }

    /** Refuses unknown options; those of Spark and of its catalogs are allowed. */
    private static void check(String usage, CaseInsensitiveStringMap options, List<String> known) {
        for (String given : options.keySet()) {
            String name = given.toLowerCase(Locale.ROOT);
            if (known.stream().noneMatch(name::equalsIgnoreCase)
                    && !OF_CATALOGS.contains(name)
                    && !name.startsWith("option.")
                    && !name.startsWith("spark.")) {
                // The list of known options begins with "path", which messages leave out: Spark sets it.
                String nearest = known.stream()
                        .min(Comparator.comparingInt(other -> distance(name, other)))
                        .orElseThrow();
                if (OF_WRITES.stream().anyMatch(name::equalsIgnoreCase)) {
                    throw new IllegalArgumentException("option " + given + ": only writes have it; expected one of "
                            + String.join(", ", known.subList(1, known.size())));
                }
                throw new IllegalArgumentException(
                        "option " + given + ": " + usage + " of shardkit have no such option; the nearest is " + nearest
                                + ". Expected one of " + String.join(", ", known.subList(1, known.size())));
            }
        }
    }

    /**
     * Returns the names of an option {@code variables}, which are separated by commas; empty without it.
     *
     * @param decodes whether the options contain {@code decode=cf}, which this option needs
     * @throws IllegalArgumentException if the option is given without {@code decode=cf}, or a name is empty
     */
    static Optional<List<String>> variables(CaseInsensitiveStringMap options, boolean decodes) {
        String text = options.get(VARIABLES);
        if (text == null) {
            return Optional.empty();
        } else if (!decodes) {
            throw new IllegalArgumentException("option " + VARIABLES + ": expected it with " + DECODE + "=cf");
        }
        List<String> names = Stream.of(text.split(",", -1)).map(String::strip).toList();
        if (names.contains("")) {
            throw new IllegalArgumentException(
                    "option " + VARIABLES + ": expected names separated by commas, found \"" + text + "\"");
        }
        return Optional.of(names);
    }

    private static int distance(String one, String other) {
        return UTF8String.fromString(one).levenshteinDistance(UTF8String.fromString(other.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns whether an option with two possible values has the second one.
     *
     * @param first the first value, which is the default
     */
    static boolean isSecond(CaseInsensitiveStringMap options, String name, String first, String second) {
        String value = options.getOrDefault(name, first);
        if (!value.equals(first) && !value.equals(second)) {
            throw new IllegalArgumentException(
                    "option " + name + ": expected " + first + " or " + second + ", found '" + value + "'");
        }
        return value.equals(second);
    }
}
