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
 * The stored chunks of an array (level 0), the inner chunks in them (level 1), those in these: seen as if each were a
 * chunk of the array itself. What lies at one level of one array can lie at one of another without being decoded, if
 * both have the same shape and the same codecs. Immutable.
 *
 * @param shape the shape of a chunk of this level in the array; empty for level 0, where the grid tells
 * @param codecs all that encodes it, array-to-array codecs around shards included
 * @param order which dimension of the array each dimension of the shard's index is (of level 0: none)
 */
record Level(Optional<long[]> shape, List<Json> codecs, int[] order) {
    private static final String SHARDING = "sharding_indexed";
    /** Codecs that do to a part of a chunk what they do to the whole. */
    private static final Set<String> ELEMENTWISE = Set.of("scale_offset", "cast_value", "bitround");

    /** The levels of an array as far as its codecs let inner chunks be seen as chunks of their own. */
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

    /** Where the sharding codec stands among {@code codecs}; -1 if there is none. */
    static int sharding(List<Json> codecs) {
        for (int i = 0; i < codecs.size(); i++) {
            if (name(codecs.get(i)).equals(SHARDING)) {
                return i;
            }
        }
        return -1;
    }

    /** The codecs with those of the inner chunks in the place of the sharding codec at {@code at}. */
    static List<Json> flatter(List<Json> codecs, int at) {
        List<Json> flat = new ArrayList<>(codecs.subList(0, at));
        flat.addAll(((Json.Arr) member(codecs.get(at), "codecs")).items());
        flat.addAll(codecs.subList(at + 1, codecs.size()));
        return flat;
    }

    /** The codecs without any shards. */
    static List<Json> flat(List<Json> codecs) {
        List<Json> flat = codecs;
        for (int at = sharding(flat); at >= 0; at = sharding(flat)) {
            flat = flatter(flat, at);
        }
        return flat;
    }

    /** The shape that inner chunks of the sharding codec at {@code at} have in the array. */
    static long[] innerShape(List<Json> codecs, int at, int[] order) {
        long[] stored = lengths(member(codecs.get(at), "chunk_shape"));
        long[] shape = new long[stored.length];
        for (int i = 0; i < stored.length; i++) {
            shape[order[i]] = stored[i];
        }
        return shape;
    }

    /**
     * Which dimension of the array each dimension behind these array-to-array codecs is; empty if they are not known to
     * do to parts what they do to the whole.
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

    /** Member {@code name} of the configuration of a codec, which has it. */
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
