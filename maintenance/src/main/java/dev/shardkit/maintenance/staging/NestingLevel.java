package dev.shardkit.maintenance.staging;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One level of an array's chunks: stored chunks (level 0), the inner chunks in them (level 1), and so on in nested
 * shards. A change of layout compares levels: if the shapes and codecs of a level of the old array and of a level of
 * the new array agree, their chunks are moved without decoding. Immutable.
 *
 * @param shape the shape of this level's chunks in the array; empty for level 0, where the grid defines it
 * @param chain all codecs that encode a chunk of this level, including array-to-array codecs around its shards
 * @param order the array dimension of each dimension of the index that lists these chunks: transposed if a codec around
 *     the shard transposes; for level 0, the dimensions in order
 */
public record NestingLevel(Optional<long[]> shape, CodecChain chain, int[] order) {
    /** Codecs that act on each element separately. */
    private static final Set<String> ELEMENTWISE = Set.of("scale_offset", "cast_value", "bitround");

    /** Returns the levels of an array. Ends at the level whose inner chunks cannot be read separately. */
    public static List<NestingLevel> of(ArrayMetadata metadata) {
        List<NestingLevel> levels = new ArrayList<>();
        NestingLevel level = new NestingLevel(Optional.empty(), metadata.codecs(), identity(metadata.rank()));
        levels.add(level);
        while (true) {
            CodecChain chain = level.chain;
            Optional<ShardingLayout> layout = chain.arrayToBytes().sharding();
            Optional<int[]> order = order(chain, metadata.rank());
            if (layout.isEmpty() || order.isEmpty() || !chain.bytesToBytes().isEmpty()) {
                return levels;
            }
            level = new NestingLevel(
                    Optional.of(innerShape(layout.get(), order.get())), flatter(chain, layout.get()), order.get());
            levels.add(level);
        }
    }

    /** Returns the codecs as metadata states them, to compare and to write them. */
    public List<Json> codecs() {
        return chain.json();
    }

    /** Returns the codecs of the inner chunks of a shard: replaces the sharding codec in a chain by those inside it. */
    private static CodecChain flatter(CodecChain chain, ShardingLayout layout) {
        List<Codec> flat = new ArrayList<>(chain.arrayToArray());
        flat.addAll(layout.codecs().codecs());
        flat.addAll(chain.bytesToBytes());
        return CodecChain.of(flat);
    }

    /** Returns the codecs of the innermost chunks: removes all sharding codecs from a chain. */
    public static CodecChain flat(CodecChain chain) {
        CodecChain flat = chain;
        for (Optional<ShardingLayout> at = flat.arrayToBytes().sharding();
                at.isPresent();
                at = flat.arrayToBytes().sharding()) {
            flat = flatter(flat, at.get());
        }
        return flat;
    }

    /** Returns the shape of the inner chunks in the array. */
    public static long[] innerShape(ShardingLayout layout, int[] order) {
        return Shapes.permute(layout.innerShape(), Shapes.inverse(order));
    }

    /**
     * Returns the array dimension of each dimension after the array-to-array codecs. Empty if one of these codecs is
     * not known to act on each element separately, since then a part of a chunk cannot be decoded alone.
     */
    public static Optional<int[]> order(CodecChain chain, int rank) {
        int[] order = identity(rank);
        for (ArrayToArrayCodec codec : chain.arrayToArray()) {
            if (codec.name().equals("transpose")) {
                order = permuted(order, codec.configuration());
            } else if (!ELEMENTWISE.contains(codec.name())) {
                return Optional.empty();
            }
        }
        return Optional.of(order);
    }

    private static int[] permuted(int[] order, Json.Obj transpose) {
        List<Json> permutation = ((Json.Arr) transpose.get("order").orElseThrow()).items();
        return permutation.stream()
                .mapToInt(dimension -> order[Integer.parseInt(((Json.Num) dimension).lexeme())])
                .toArray();
    }

    private static int[] identity(int rank) {
        return IntStream.range(0, rank).toArray();
    }
}
