package dev.shardkit.metadata.creation;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Creates the metadata document of a new array and fills in the defaults. */
public final class NewArrayDocument {
    /** The most bytes of a chunk whose shape is chosen here. */
    private static final long AUTOMATIC_CHUNK_BYTES = 1 << 20;
    /** The smallest limit for the bytes of an inner chunk, in small shards. */
    private static final long MIN_INNER_CHUNK_LIMIT = 64 << 10;
    /** The least number of inner chunks in a shard, unless they would be smaller than the limit above. */
    private static final int INNER_CHUNKS = 16;
    /** The assumed bytes of an element of variable size, such as a string. */
    private static final int VARIABLE_SIZE = 32;

    private final long[] shape;
    private final Chunking chunking;
    private final ChunkEncoding encoding;
    private final FillAndLabels labels;
    private final Registry registry;
    private final Json dataType;
    private final DataType type;
    private final long[] chunkShape;

    public NewArrayDocument(
            Json dataType,
            long[] shape,
            Chunking chunking,
            ChunkEncoding encoding,
            FillAndLabels labels,
            Registry registry) {
        this.shape = shape;
        this.chunking = chunking;
        this.encoding = encoding;
        this.labels = labels;
        this.registry = registry;
        this.dataType = dataType;
        this.type = registry.dataType(dataType, "/data_type");
        this.chunkShape = chunking.chunk() != null ? chunking.chunk() : defaultChunk();
    }

    private long[] defaultChunk() {
        if (chunking.grid() != null) {
            return firstChunk(chunking.grid());
        }
        return automaticChunk(chunking.shard() != null ? chunking.shard() : shape);
    }

    /** Returns the shape of the first chunk of the given grid. */
    private long[] firstChunk(Json grid) {
        // A dimension of length 0 has no chunk, so its length counts as 1.
        long[] filled = Arrays.stream(shape).map(s -> Math.max(1, s)).toArray();
        return registry.resolver(name -> {})
                .chunkGrid(grid, "/chunk_grid", shape)
                .resize(filled)
                .chunk(new long[filled.length])
                .shape();
    }

    /** Returns the grid of the stored objects. */
    private Json grid() {
        if (chunking.grid() == null) {
            return RegularGrid.metadata(chunking.shard() != null ? chunking.shard() : chunkShape);
        }
        if (chunking.shard() != null) {
            throw new IllegalArgumentException("found a chunk grid and the shard shape "
                    + Arrays.toString(chunking.shard())
                    + "; the grid already divides the array into shards: give one of them");
        }
        return chunking.grid();
    }

    private Json keys() {
        return chunking.keys() != null
                ? chunking.keys()
                : Json.extension("default", Json.object().with("separator", Json.of("/")));
    }

    /** Returns the document. */
    public Json.Obj json() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("zarr_format", Json.of(3));
        members.put("node_type", Json.of("array"));
        members.put("shape", Json.of(shape));
        members.put("data_type", dataType);
        members.put("chunk_grid", grid());
        members.put("chunk_key_encoding", keys());
        members.put("fill_value", labels.fill() != null ? labels.fill() : type.formatFill(type.defaultFill()));
        members.put("codecs", new Json.Arr(codecs()));
        members.put("attributes", labels.attributes());
        if (!chunking.transformers().isEmpty()) {
            members.put("storage_transformers", new Json.Arr(chunking.transformers()));
        }
        if (labels.dimensions() != null) {
            members.put("dimension_names", names(labels.dimensions()));
        }
        return new Json.Obj(members);
    }

    private static Json names(List<Optional<String>> names) {
        return new Json.Arr(names.stream()
                .map(name -> name.map(Json::of).orElseGet(Json.Null::new))
                .toList());
    }

    private List<Json> codecs() {
        checkRank("chunk shape", chunkShape);
        List<Json> inner = complete(encoding.codecsOrDefault());
        long[] shard = chunking.shard();
        if (shard != null) {
            checkRank("shard shape", shard);
            for (int d = 0; d < shard.length; d++) {
                checkMultiple(d, shard[d], chunkShape[d]);
            }
        } else if (chunking.grid() == null || chunking.chunk() == null) {
            return inner; // no shards; a grid together with a chunk shape divides the array into shards
        }
        return List.of(DefaultCodecs.sharding(chunkShape, encoding.index(), inner.toArray(Json[]::new)));
    }

    private void checkRank(String name, long[] found) {
        if (found.length != shape.length) {
            throw new IllegalArgumentException(name + " " + Arrays.toString(found) + " has " + found.length
                    + " dimensions, the array's shape " + Arrays.toString(shape) + " has " + shape.length);
        }
    }

    private void checkMultiple(int d, long shard, long chunk) {
        if (chunk > 0 && (shard < chunk || shard % chunk != 0)) {
            long lower = shard / chunk * chunk;
            String nearest = lower > 0 ? "values are " + lower + " or " + (lower + chunk) : "value is " + chunk;
            throw new IllegalArgumentException("shard shape " + shard + " in dimension " + d
                    + " is not a multiple of the chunk shape " + chunk + "; the nearest legal " + nearest);
        }
    }

    /**
     * Adds the implied array-to-bytes codec if there is none, and the configuration that bytes-to-bytes codecs derive
     * from the data type (the typesize of blosc). Strict readers expect both.
     */
    private List<Json> complete(List<Json> codecs) {
        FillValue fill = labels.fill() != null ? type.parseFill(labels.fill()) : type.defaultFill();
        ChunkType chunk = ChunkType.of(type, fill, chunkShape);
        List<Json> completed = new ArrayList<>(codecs);
        boolean isImplied = true;
        int position = 0;
        for (int i = 0; i < codecs.size(); i++) {
            Codec codec = registry.codec(codecs.get(i), "/codecs/" + i);
            if (codec instanceof ArrayToArrayCodec a) {
                position = i + 1;
                chunk = a.bind(chunk).encoded();
            } else if (codec instanceof BytesToBytesCodec b) {
                BytesToBytesCodec bound = b.bind(chunk);
                completed.set(i, Json.extension(bound.name(), bound.configuration()));
            } else {
                isImplied = false;
            }
        }
        if (isImplied) {
            completed.add(position, arrayToBytes(chunk.dataType()));
        }
        return completed;
    }

    private static Json arrayToBytes(DataType type) {
        return switch (type.carrier()) {
            case STRING -> Json.extension("vlen-utf8", Json.object());
            case BYTES -> Json.extension("vlen-bytes", Json.object());
            default ->
                type.carrier().wordSize() == 1 && type.fields().isEmpty()
                        ? Json.extension("bytes", Json.object())
                        : DefaultCodecs.bytesLittleEndian();
        };
    }

    /**
     * Returns the shape of a chunk: {@code bounds} with the longest dimension divided until a chunk has at most 1 MiB.
     * In a shard, the limit is a 16th of the shard, but at least 64 KiB and at most 1 MiB, and only exact divisors are
     * used.
     */
    private long[] automaticChunk(long[] bounds) {
        long[] chunk = Arrays.stream(bounds).map(s -> Math.max(1, s)).toArray();
        double size = type.elementSize().orElse(VARIABLE_SIZE);
        for (long length : chunk) {
            size *= length;
        }
        boolean needsDivisor = chunking.shard() != null;
        double maxBytes = needsDivisor
                ? Math.min(AUTOMATIC_CHUNK_BYTES, Math.max(MIN_INNER_CHUNK_LIMIT, size / INNER_CHUNKS))
                : AUTOMATIC_CHUNK_BYTES;
        while (size > maxBytes) {
            int longest = -1;
            for (int d = 0; d < chunk.length; d++) {
                boolean isDivisible = chunk[d] > 1 && (!needsDivisor || divisor(chunk[d]) > 1);
                longest = isDivisible && (longest < 0 || chunk[d] > chunk[longest]) ? d : longest;
            }
            if (longest < 0) {
                break;
            }
            long divided = needsDivisor ? chunk[longest] / divisor(chunk[longest]) : (chunk[longest] + 1) / 2;
            size = size / chunk[longest] * divided;
            chunk[longest] = divided;
        }
        return chunk;
    }

    /** Returns the smallest of 2, 3, 5 and 7 that divides the length; 1 if none does. */
    private static long divisor(long length) {
        return LongStream.of(2, 3, 5, 7)
                .filter(n -> length % n == 0)
                .findFirst()
                .orElse(1);
    }
}
