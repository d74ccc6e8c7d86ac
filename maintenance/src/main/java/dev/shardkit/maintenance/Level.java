package dev.shardkit.maintenance;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One level of an array's chunks: stored chunks (level 0), the inner chunks in them (level 1), and so on. Chunks of a
 * level of one array can be moved to a level of another array without decoding if the shapes and codecs agree.
 * Immutable.
 *
 * @param shape the shape of this level's chunks in the array; empty for level 0, where the grid defines it
 * @param codecs all codecs that encode a chunk, including array-to-array codecs around shards
 * @param order the array dimension of each dimension of the shard's index (empty for level 0)
 */
record Level(Optional<long[]> shape, List<Json> codecs, int[] order) {
    private static final String SHARDING = "sharding_indexed";
    /** Codecs that act on each element separately. */
    private static final Set<String> ELEMENTWISE = Set.of("scale_offset", "cast_value", "bitround");

    /** Returns the levels of an array, as far as its codecs allow reading inner chunks separately. */
    static List<Level> of(ArrayMetadata metadata) {
        List<Level> levels = new ArrayList<>();
        Level level = new Level(Optional.empty(), json(metadata.codecs().codecs()), identity(metadata.rank()));
        levels.add(level);
        while (true) {
            int at = sharding(level.codecs);
            Optional<int[]> order = at < 0 ? Optional.empty() : order(level.codecs.subList(0, at), metadata.rank());
            if (at < 0 || at != level.codecs.size() - 1 || order.isEmpty()) {
                return levels;
            }
            level = new Level(
                    Optional.of(innerShape(level.codecs, at, order.get())), flatter(level.codecs, at), order.get());
            levels.add(level);
        }
    }

    static List<Json> json(List<Codec> codecs) {
        return codecs.stream()
                .<Json>map(c -> MetadataWriter.extension(c.name(), c.configuration()))
                .toList();
    }

    /** Returns the position of the sharding codec in {@code codecs}; -1 if there is none. */
    static int sharding(List<Json> codecs) {
        for (int i = 0; i < codecs.size(); i++) {
            if (name(codecs.get(i)).equals(SHARDING)) {
                return i;
            }
        }
        return -1;
    }

    /** Replaces the sharding codec at {@code at} by the codecs of its inner chunks. */
    static List<Json> flatter(List<Json> codecs, int at) {
        List<Json> flat = new ArrayList<>(codecs.subList(0, at));
        flat.addAll(((Json.Arr) member(codecs.get(at), "codecs")).items());
        flat.addAll(codecs.subList(at + 1, codecs.size()));
        return flat;
    }

    /** Removes all shards from the codecs. */
    static List<Json> flat(List<Json> codecs) {
        List<Json> flat = codecs;
        for (int at = sharding(flat); at >= 0; at = sharding(flat)) {
            flat = flatter(flat, at);
        }
        return flat;
    }

    /** Returns the shape in the array of the inner chunks of the sharding codec at {@code at}. */
    static long[] innerShape(List<Json> codecs, int at, int[] order) {
        long[] stored = lengths(member(codecs.get(at), "chunk_shape"));
        long[] shape = new long[stored.length];
        for (int i = 0; i < stored.length; i++) {
            shape[order[i]] = stored[i];
        }
        return shape;
    }

    /**
     * Returns the array dimension of each dimension after these array-to-array codecs; empty if a codec may not act on
     * each element separately.
     */
    static Optional<int[]> order(List<Json> codecs, int rank) {
        int[] order = identity(rank);
        for (Json codec : codecs) {
            if (name(codec).equals("transpose")) {
                long[] permutation = lengths(member(codec, "order"));
                int[] next = new int[rank];
                for (int i = 0; i < rank; i++) {
                    next[i] = order[(int) permutation[i]];
                }
                order = next;
            } else if (!ELEMENTWISE.contains(name(codec))) {
                return Optional.empty();
            }
        }
        return Optional.of(order);
    }

    private static int[] identity(int rank) {
        int[] order = new int[rank];
        for (int i = 0; i < rank; i++) {
            order[i] = i;
        }
        return order;
    }

    /** Returns the member {@code name} of a codec's configuration, which must exist. */
    static Json member(Json codec, String name) {
        return ((Json.Obj) ((Json.Obj) codec).get("configuration").orElseThrow())
                .get(name)
                .orElseThrow();
    }

    private static String name(Json codec) {
        return ((Json.Str) ((Json.Obj) codec).get("name").orElseThrow()).value();
    }

    private static long[] lengths(Json list) {
        return ((Json.Arr) list)
                .items().stream()
                        .mapToLong(n -> Long.parseLong(((Json.Num) n).lexeme()))
                        .toArray();
    }
}
