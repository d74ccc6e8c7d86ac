package dev.shardkit.maintenance.staging;

import dev.shardkit.Codecs;
import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array before and after a change of its layout. Only the chunk grid and the codecs differ.
 * Immutable.
 *
 * @param from the current metadata
 * @param to the new metadata
 */
public record LayoutChange(ArrayMetadata from, ArrayMetadata to) {
    private static final double MIN_SHARD_BYTES = 10 << 20;
    private static final double MAX_SHARD_BYTES = 100 << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 32;

    /**
     * Returns the change of {@code array}.
     *
     * @param chunks the new shape of inner chunks, or null to keep it
     * @throws IllegalArgumentException if the request does not fit the array
     * @throws UnsupportedException if the array cannot be changed
     */
    public static LayoutChange of(ZarrArray array, long @Nullable [] chunks, ShardLayout layout) {
        ArrayMetadata from = array.metadata();
        requireChangeable(array);
        if (chunks != null) {
            checkChunk(chunks, from.rank());
        }
        CodecChain codecs = from.codecs();
        ShardingLayout sharding = codecs.arrayToBytes().sharding().orElse(null);
        if (array.isSharded() && sharding == null) {
            throw new UnsupportedException("shards of codec "
                    + codecs.arrayToBytes().name() + ", which does not describe their layout; sharding_indexed does");
        }
        if (layout instanceof ShardLayout.Unsharded) {
            return sharding == null && chunks == null
                    ? new LayoutChange(from, from)
                    : to(
                            array,
                            chunks == null ? array.chunkShape() : chunks,
                            NestingLevel.flat(codecs).json());
        }
        if (chunks != null) {
            return to(
                    array,
                    shardShape(array, chunks, layout),
                    List.of(shardingCodec(chunks, NestingLevel.flat(codecs), sharding)));
        }
        if (sharding != null) {
            int[] order = NestingLevel.order(codecs, from.rank())
                    .orElseThrow(() ->
                            new UnsupportedException("shards behind array-to-array codecs that hide inner chunks"));
            return to(array, shardShape(array, NestingLevel.innerShape(sharding, order), layout), codecs.json());
        }
        if (!from.chunkGrid().name().equals("regular")) {
            throw new UnsupportedException("chunks of a " + from.chunkGrid().name()
                    + " grid differ in shape and cannot share a shard; set a chunk shape to make them equal");
        }
        long[] chunk = array.storedChunkShape();
        long[] shard = shardShape(array, chunk, layout);
        return layout instanceof ShardLayout.Automatic && Arrays.equals(shard, chunk)
                ? new LayoutChange(from, from) // a shard of one chunk would only add an index
                : to(array, shard, List.of(shardingCodec(chunk, codecs, sharding)));
    }

    private static void requireChangeable(ZarrArray array) {
        ArrayMetadata metadata = array.metadata();
        if (array.nodeFormat().isPresent()) {
            throw new UnsupportedException(
                    "an array of " + array.nodeFormat().get() + " has no zarr.json; convert it to Zarr v3 first");
        } else if (!metadata.ignoredCodecs().isEmpty()) {
            throw new UnsupportedException("codecs that no plug-in supports: " + metadata.ignoredCodecs());
        } else if (!metadata.storageTransformers().isEmpty()) {
            throw new UnsupportedException("an array with storage transformers; expected one without");
        }
    }

    /** Whether the array already has this layout. */
    public boolean isUnchanged() {
        return from.equals(to);
    }

    /** Returns the change to stored chunks (or shards) of the shape {@code stored} with these codecs. */
    private static LayoutChange to(ZarrArray array, long[] stored, List<Json> codecs) {
        checkRank("chunk shape", stored.length, array.shape().length);
        Json grid = RegularGrid.metadata(stored);
        Json.Obj document = MetadataWriter.document(array.metadata())
                .with("chunk_grid", grid)
                .with("codecs", new Json.Arr(codecs));
        return new LayoutChange(array.metadata(), read(array, document));
    }

    /** Returns the metadata of a document, with the options of the array. */
    static ArrayMetadata read(ZarrArray array, Json.Obj document) {
        return read(array.options(), document);
    }

    /** Returns the metadata of a document. */
    public static ArrayMetadata read(ZarrOptions options, Json.Obj document) {
        return (ArrayMetadata) new MetadataReader(options.registry(), options.limits()).read(document);
    }

    /** Returns the metadata without {@code nonempty_chunks}, which is wrong after a change of chunks. */
    public static ArrayMetadata withoutNonemptyChunks(ArrayMetadata metadata) {
        Map<String, Json> attributes = new LinkedHashMap<>(metadata.attributes().members());
        attributes.remove(NonemptyChunksAttribute.ATTRIBUTE);
        return metadata.withAttributes(new Json.Obj(attributes));
    }

    /**
     * Returns the sharding codec around chunks that {@code inner} encodes. Keeps the index settings of {@code before},
     * if the array had shards.
     */
    private static Json shardingCodec(long[] chunk, CodecChain inner, @Nullable ShardingLayout before) {
        return Codecs.sharding(
                chunk,
                before == null ? Codecs.defaultIndex() : before.index(),
                inner.json().toArray(Json[]::new));
    }

    private static long[] shardShape(ZarrArray array, long[] chunk, ShardLayout layout) {
        int rank = array.shape().length;
        if (layout instanceof ShardLayout.Automatic) {
            return automatic(array, chunk);
        } else if (layout instanceof ShardLayout.ShardShape s) {
            long[] shape = s.lengths().stream().mapToLong(n -> n).toArray();
            checkRank("shard shape", shape.length, rank);
            for (int d = 0; d < rank; d++) {
                if (shape[d] < 1 || shape[d] % chunk[d] != 0) {
                    throw new IllegalArgumentException("shard shape " + Arrays.toString(shape)
                            + ": expected multiples of the " + "chunks' " + Arrays.toString(chunk));
                }
            }
            return shape;
        }
        List<Long> counts = ((ShardLayout.ChunksPerShard) layout).counts();
        if (counts.size() != 1) {
            checkRank("chunks per shard", counts.size(), rank);
        }
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            long count = counts.get(counts.size() == 1 ? 0 : d);
            if (count < 1) {
                throw new IllegalArgumentException("chunks per shard " + counts + ": expected at least 1");
            }
            shape[d] = times(count, chunk[d]);
        }
        Shapes.count(shape);
        return shape;
    }

    /**
     * Returns the shape of shards by the rule of {@link ShardLayout.Automatic}. Shards that have a good size already
     * keep their shape.
     */
    private static long[] automatic(ZarrArray array, long[] chunk) {
        StoredChunkList cells = StoredChunkList.of(array);
        double mean = cells.meanSize(array);
        boolean keepsShards = array.isSharded()
                && array.metadata().chunkGrid().name().equals("regular")
                && fits(array.storedChunkShape(), chunk);
        if (keepsShards && mean >= MIN_SHARD_BYTES && mean <= MAX_SHARD_BYTES) {
            return array.storedChunkShape();
        }
        long[] shape = array.shape();
        double chunksInGrid = 1;
        for (int d = 0; d < chunk.length; d++) {
            chunksInGrid *= Math.max(1, (shape[d] - 1) / chunk[d] + 1);
        }
        // The stored bytes, spread over all new chunks; without stored bytes, the size without encoding.
        double size = mean > 0 ? mean * cells.count() / chunksInGrid : decodedSize(array, chunk);
        return ShardLayout.automaticShape(shape, chunk, size);
    }

    private static double decodedSize(ZarrArray array, long[] chunk) {
        double size = array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
        for (long length : chunk) {
            size *= length;
        }
        return size;
    }

    /** Whether a shard has whole chunks. */
    private static boolean fits(long[] shard, long[] chunk) {
        for (int d = 0; d < shard.length; d++) {
            if (shard[d] % chunk[d] != 0) {
                return false;
            }
        }
        return true;
    }

    private static long times(long count, long chunk) {
        try {
            return Math.multiplyExact(count, chunk);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    count + " chunks of " + chunk + " in a dimension exceed the length limit of a shard", e);
        }
    }

    private static void checkChunk(long[] shape, int rank) {
        checkRank("chunk shape", shape.length, rank);
        if (Arrays.stream(shape).anyMatch(length -> length < 1)) {
            throw new IllegalArgumentException(
                    "chunk shape " + Arrays.toString(shape) + ": expected lengths of at least 1");
        }
    }

    private static void checkRank(String what, int found, int rank) {
        if (found != rank) {
            throw new IllegalArgumentException(
                    what + ": expected " + rank + " dimensions, like the array, found " + found);
        }
    }
}
