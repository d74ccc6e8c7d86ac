package dev.shardkit.presence;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Formats and parses the keys in the {@code nonempty_chunks} list of one array. Immutable. */
public final class NonemptyChunkKeys {
    /** The name of the attribute with the list. */
    public static final String ATTRIBUTE = "nonempty_chunks";

    /** The name of the attribute with the origin of the keys. */
    public static final String ORIGIN = "chunk_grid_origin";

    private final long[] origin;

    private NonemptyChunkKeys(long[] origin) {
        this.origin = origin;
    }

    /** Returns the formatter for an array of {@code rank} dimensions with these attributes. */
    public static NonemptyChunkKeys of(Json.Obj attributes, int rank) {
        Optional<Json> attribute = attributes.get(ORIGIN).filter(json -> !(json instanceof Json.Null));
        if (attribute.isEmpty()) {
            return new NonemptyChunkKeys(new long[rank]);
        }
        List<Json> items = attribute.get() instanceof Json.Arr list ? list.items() : List.of();
        long[] origin = new long[rank];
        boolean isValid = attribute.get() instanceof Json.Arr && items.size() == rank;
        for (int d = 0; isValid && d < rank; d++) {
            Optional<Long> value = items.get(d) instanceof Json.Num n ? index(n.lexeme()) : Optional.empty();
            isValid = value.isPresent();
            origin[d] = value.orElse(0L);
        }
        if (!isValid) {
            throw new MetadataException("/attributes/" + ORIGIN + ": expected " + rank
                    + " integers of at most 62 bits, found " + brief(attribute.get()));
        }
        return new NonemptyChunkKeys(origin);
    }

    /** Returns the key of a cell. */
    public String key(long[] cell) {
        if (cell.length != origin.length) {
            throw new IllegalArgumentException(
                    "cell " + Arrays.toString(cell) + " of " + origin.length + " dimensions");
        }
        StringBuilder key = new StringBuilder(cell.length == 0 ? "0" : "");
        for (int d = 0; d < cell.length; d++) {
            key.append(d > 0 ? "." : "").append(Math.addExact(cell[d], origin[d]));
        }
        return key.toString();
    }

    /** Returns the cell of a key, which may lie outside the array; empty if the text is not a key. */
    public Optional<long[]> cell(String key) {
        if (origin.length == 0) {
            return key.equals("0") ? Optional.of(new long[0]) : Optional.empty();
        }
        String[] parts = key.split("\\.", -1);
        long[] cell = new long[origin.length];
        for (int d = 0; d < cell.length; d++) {
            Optional<Long> index = parts.length == cell.length ? index(parts[d]) : Optional.empty();
            if (index.isEmpty()) {
                return Optional.empty();
            }
            cell[d] = index.get() - origin[d];
        }
        return Optional.of(cell);
    }

    /** Parses a decimal integer as Java prints it, of at most 62 bits so that the sum of two does not overflow. */
    private static Optional<Long> index(String text) {
        try {
            long value = Long.parseLong(text);
            boolean isSmall = value >= -(1L << 62) && value < 1L << 62;
            return isSmall && Long.toString(value).equals(text) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns the text of a value for an error, cut after 80 characters. */
    public static String brief(Json json) {
        String text = json.toString();
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }
}
