package dev.shardkit.grid.rectilinear;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Creates {@link RectilinearGrid}s from metadata, for the registry of plug-ins. Stateless and thread-safe. */
public final class RectilinearGridFactory implements ChunkGridFactory {
    /** The number of digits of 2^63-1; longer numbers are rejected without parsing. */
    private static final int LONGEST_INTEGER = 19;

    /** Creates the factory; called by the service loader. */
    public RectilinearGridFactory() {}

    @Override
    public String name() {
        return RectilinearGrid.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public ChunkGrid create(Config config, long[] arrayShape) {
        if (config.oneOf(RectilinearGrid.KIND, RectilinearGrid.INLINE).isEmpty()) {
            throw missing(config.at(RectilinearGrid.KIND));
        }
        String location = config.at(RectilinearGrid.CHUNK_SHAPES);
        Json shapes = config.json(RectilinearGrid.CHUNK_SHAPES).orElseThrow(() -> missing(location));
        if (!(shapes instanceof Json.Arr list)) {
            throw Config.expected(location, "a list with a member for each dimension", shapes);
        }
        List<ChunkLengths> edges = new ArrayList<>();
        for (int d = 0; d < list.items().size(); d++) {
            edges.add(edges(list.items().get(d), location + "/" + d));
        }
        return RectilinearGrid.of(arrayShape, edges);
    }

    private static MetadataException missing(String location) {
        return new MetadataException(location + ": is required, but missing");
    }

    /** Parses a dimension: one length that repeats, or a list. */
    private static ChunkLengths edges(Json json, String location) {
        if (!(json instanceof Json.Arr list)) {
            return ChunkLengths.uniform(
                    integer(json, location, "a chunk length of at least 1, or a list of such lengths"));
        }
        ChunkLengths.Builder builder = ChunkLengths.builder();
        for (int i = 0; i < list.items().size(); i++) {
            addItem(builder, list.items().get(i), location, i);
        }
        return builder.build();
    }

    /** Adds item {@code i} of a list: the length of one chunk, or a run as a pair of a length and a count. */
    private static void addItem(ChunkLengths.Builder builder, Json item, String location, int i) {
        String description = "a chunk length of at least 1, or a pair of such a length and a count";
        if (!(item instanceof Json.Arr run)) {
            add(builder, integer(item, location + "/" + i, description), 1, location + "/" + i);
        } else if (run.items().size() == 2) {
            add(
                    builder,
                    integer(run.items().get(0), location + "/" + i + "/0", description),
                    integer(run.items().get(1), location + "/" + i + "/1", "a count of at least 1"),
                    location + "/" + i);
        } else {
            throw Config.expected(location + "/" + i, description, item);
        }
    }

    private static void add(ChunkLengths.Builder builder, long length, long count, String location) {
        try {
            builder.add(length, count);
        } catch (MetadataException e) {
            throw new MetadataException(location + ": " + e.fact(), e);
        }
    }

    /** Returns an integer of at least 1. */
    private static long integer(Json json, String location, String description) {
        if (json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= LONGEST_INTEGER) {
            try {
                long value = Long.parseLong(n.lexeme());
                if (value >= 1) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw new MetadataException(location + ": expected " + description + ", found " + n.lexeme(), e);
            }
        }
        throw Config.expected(location, description, json);
    }
}
