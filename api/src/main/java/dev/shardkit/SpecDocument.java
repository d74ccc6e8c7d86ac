package dev.shardkit;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the metadata document of an {@link ArraySpec} and fills in the defaults. */
final class SpecDocument {
    private static final long AUTOMATIC_CHUNK_BYTES = 1 << 20;

    private final ArraySpec spec;
    private final Registry registry;
    private final DataType type;
    private final long[] chunkShape;

    SpecDocument(ArraySpec spec, Registry registry) {
        this.spec = spec;
        this.registry = registry;
        this.type = registry.dataType(spec.dataType(), "/data_type");
        this.chunkShape = spec.chunkShape()
                .orElseGet(() -> spec.chunkGrid().isPresent()
                        ? firstChunk()
                        : automatic(spec.shardShape().orElse(spec.shape())));
    }

    /** Returns the shape of the first chunk of the given grid. */
    private long[] firstChunk() {
        long[] filled = Arrays.stream(spec.shape()).map(s -> Math.max(1, s)).toArray();
        return registry.resolver(name -> {})
                .chunkGrid(spec.chunkGrid().orElseThrow(), "/chunk_grid", spec.shape())
                .resize(filled)
                .chunk(new long[filled.length])
                .shape();
    }

    /** Returns the grid of the stored objects. */
    private Json grid() {
        if (spec.chunkGrid().isPresent() && spec.shardShape().isPresent()) {
            throw new IllegalArgumentException("found a chunk grid and the shard shape "
                    + Arrays.toString(spec.shardShape().get())
                    + "; the grid already divides the array into shards: give one of them");
        }
        return spec.chunkGrid()
                .orElseGet(() -> RegularGrid.metadata(spec.shardShape().orElse(chunkShape)));
    }

    Json.Obj json() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("zarr_format", Json.of(3));
        members.put("node_type", Json.of("array"));
        members.put("shape", Json.of(spec.shape()));
        members.put("data_type", spec.dataType());
        members.put("chunk_grid", grid());
        members.put(
                "chunk_key_encoding",
                spec.chunkKeyEncoding()
                        .orElseGet(() -> Codecs.named("default", Json.object().with("separator", Json.of("/")))));
        members.put("fill_value", spec.fillValue().orElseGet(() -> type.formatFill(type.defaultFill())));
        members.put("codecs", new Json.Arr(codecs()));
        members.put("attributes", spec.attributes());
        if (!spec.storageTransformers().isEmpty()) {
            members.put("storage_transformers", new Json.Arr(spec.storageTransformers()));
        }
        spec.dimensionNames().ifPresent(names -> members.put("dimension_names", names(names)));
        return new Json.Obj(members);
    }

    private static Json names(List<Optional<String>> names) {
        return new Json.Arr(names.stream()
                .map(name -> name.map(Json::of).orElseGet(Json.Null::new))
                .toList());
    }

    private List<Json> codecs() {
        checkRank("chunk shape", chunkShape);
        List<Json> inner = complete(spec.codecs().orElseGet(() -> List.of(Codecs.zstd(3))));
        if (spec.shardShape().isPresent()) {
            long[] shard = spec.shardShape().get();
            checkRank("shard shape", shard);
            for (int d = 0; d < shard.length; d++) {
                checkMultiple(d, shard[d], chunkShape[d]);
            }
        } else if (spec.chunkGrid().isEmpty() || spec.chunkShape().isEmpty()) {
            return inner;
        }
        return List.of(shards(inner));
    }

    private Json shards(List<Json> inner) {
        IndexEncoding usual = Codecs.defaultIndex();
        IndexEncoding index = new IndexEncoding(
                spec.indexCodecs().orElse(usual.codecs()), spec.indexLocation().orElse(usual.location()));
        return Codecs.sharding(chunkShape, index, inner.toArray(Json[]::new));
    }

    private void checkRank(String what, long[] shape) {
        if (shape.length != spec.shape().length) {
            throw new IllegalArgumentException(
                    what + " " + Arrays.toString(shape) + " has " + shape.length + " dimensions, the array's shape "
                            + Arrays.toString(spec.shape()) + " has " + spec.shape().length);
        }
    }

    private void checkMultiple(int d, long shard, long chunk) {
        if (chunk > 0 && (shard < chunk || shard % chunk != 0)) {
            long below = shard / chunk * chunk;
            String nearest = below > 0 ? below + " or " + (below + chunk) : String.valueOf(chunk);
            throw new IllegalArgumentException("shard shape " + shard + " in dimension " + d
                    + " is not a multiple of the chunk shape " + chunk + "; the nearest legal values are " + nearest);
        }
    }

    /**
     * Adds the implied array-to-bytes codec if there is none, and the configuration that bytes-to-bytes codecs derive
     * from the data type (the typesize of blosc). Strict readers expect both.
     */
    private List<Json> complete(List<Json> codecs) {
        FillValue fill = spec.fillValue().map(type::parseFill).orElseGet(type::defaultFill);
        ChunkType chunk = ChunkType.of(type, fill, chunkShape);
        List<Json> all = new ArrayList<>(codecs);
        boolean implied = true;
        int at = 0;
        for (int i = 0; i < codecs.size(); i++) {
            Codec codec = registry.codec(codecs.get(i), "/codecs/" + i);
            if (codec instanceof ArrayToArrayCodec a) {
                at = i + 1;
                chunk = a.bind(chunk).encoded();
            } else if (codec instanceof BytesToBytesCodec b) {
                BytesToBytesCodec bound = b.bind(chunk);
                all.set(i, Codecs.named(bound.name(), bound.configuration()));
            } else {
                implied = false;
            }
        }
        if (implied) {
            all.add(at, arrayToBytes(chunk.dataType().carrier()));
        }
        return all;
    }

    private static Json arrayToBytes(Carrier carrier) {
        return switch (carrier) {
            case STRING -> Codecs.named("vlen-utf8", Json.object());
            case BYTES -> Codecs.named("vlen-bytes", Json.object());
            default -> carrier.wordSize() == 1 ? Codecs.named("bytes", Json.object()) : Codecs.bytesLittleEndian();
        };
    }

    /** Halves the longest dimension until a chunk has about one megabyte. */
    private long[] automatic(long[] within) {
        long[] shape = Arrays.stream(within).map(s -> Math.max(1, s)).toArray();
        double size = type.elementSize().orElse(32);
        for (long s : shape) {
            size *= s;
        }
        boolean divides = spec.shardShape().isPresent();
        while (size > AUTOMATIC_CHUNK_BYTES) {
            int longest = -1;
            for (int d = 0; d < shape.length; d++) {
                boolean can = shape[d] > 1 && (!divides || shape[d] % 2 == 0);
                longest = can && (longest < 0 || shape[d] > shape[longest]) ? d : longest;
            }
            if (longest < 0) {
                break;
            }
            size = size / shape[longest] * ((shape[longest] + 1) / 2);
            shape[longest] = (shape[longest] + 1) / 2;
        }
        return shape;
    }
}
