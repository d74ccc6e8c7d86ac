package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A scale of a volume (volume.md, "scales"), as a document of Zarr v3 with the dimensions x, y, z and channel.
 * Immutable.
 *
 * @param key the path of the scale below the volume
 * @param document the document of the array
 */
record Scale(String key, Json.Obj document) {
    private static final String KEY = "key";
    private static final String CHUNK_SIZES = "chunk_sizes";
    private static final String ENCODING = "encoding";
    private static final String BLOCK_SIZE = "compressed_segmentation_block_size";
    private static final String SHARDING = "sharding";
    private static final long ROOM = 1 << 16;
    /** A document describes a group for each name of a path, so this bounds what is made of a hostile document. */
    private static final int MAX_NAMES = 16;
    /** The members that describe how the scale is stored. */
    private static final Set<String> STORAGE =
            Set.of(KEY, VolumeGrid.SIZE, CHUNK_SIZES, ENCODING, BLOCK_SIZE, SHARDING, "jpeg_quality", "png_level");

    /**
     * What a volume consists of.
     *
     * @param type the data type
     * @param channels the number of channels
     */
    record Elements(String type, long channels) {
        /** The size in bytes of each data type. */
        static final Map<String, Integer> SIZES = sizes();

        private static Map<String, Integer> sizes() {
            Map<String, Integer> sizes = new LinkedHashMap<>();
            for (String sign : List.of("uint", "int")) {
                for (int bytes = 1; bytes <= Long.BYTES; bytes *= 2) {
                    sizes.put(sign + bytes * Byte.SIZE, bytes);
                }
            }
            sizes.put("float32", Float.BYTES);
            return java.util.Collections.unmodifiableMap(sizes);
        }

        /** Returns the data type that {@code json} names, in any case; empty if there is none. */
        static Optional<String> name(Json json) {
            return json instanceof Json.Str s
                    ? Optional.of(s.value().toLowerCase(Locale.ROOT)).filter(SIZES::containsKey)
                    : Optional.empty();
        }

        int size() {
            return SIZES.get(type);
        }
    }

    /** Reads a scale; {@code members} are those of {@code config}. */
    static Scale of(Config config, Json.Obj members, Elements elements) {
        long[] size = VolumeGrid.lengths(config, VolumeGrid.SIZE, 1);
        Config storage = new Config(
                Json.object()
                        .with(VolumeGrid.SIZE, Json.of(size))
                        .with(VolumeGrid.CHUNK, Json.of(chunk(config)))
                        .with(VolumeGrid.OFFSET, members.get(VolumeGrid.OFFSET).orElseGet(() -> Json.of(new long[3]))),
                config.pointer(),
                Extensions.none());
        VolumeGrid grid = VolumeGrid.of(storage);
        Encoding encoding = Encoding.of(config, elements);
        Optional<HashedShards> shards = shards(config, grid);
        List<Json> codecs = new ArrayList<>(encoding.codecs());
        shards.filter(s -> s.sharding().data() == Sharding.Encoding.GZIP)
                .ifPresent(s -> codecs.add(Json.extension("gzip", Json.object().with("level", Json.of(6)))));
        Json transformer = shards.map(s -> Json.extension(HashedShards.NAME, s.configuration()))
                .orElseGet(() -> Json.extension(
                        ChunkFiles.NAME, new ChunkFiles(grid, most(grid, encoding, elements)).configuration()));
        return new Scale(
                key(config), document(grid, elements, new Json.Arr(codecs), transformer, attributes(members, grid)));
    }

    private static long[] chunk(Config config) {
        Json sizes = config.json(CHUNK_SIZES)
                .orElseThrow(() -> new MetadataException(config.at(CHUNK_SIZES) + ": is required, but missing"));
        if (!(sizes instanceof Json.Arr list) || list.items().isEmpty()) {
            throw Config.expected(config.at(CHUNK_SIZES), "a list of chunk sizes", sizes);
        }
        if (list.items().size() > 1 && config.json(SHARDING).isPresent()) {
            throw new MetadataException(config.at(CHUNK_SIZES) + ": expected one chunk size in a sharded scale, found "
                    + list.items().size());
        }
        Config first =
                new Config(Json.object().with("0", list.items().get(0)), config.at(CHUNK_SIZES), Extensions.none());
        return VolumeGrid.lengths(first, "0", 1);
    }

    /** Returns the path of the scale, which must lie below the volume. */
    private static String key(Config config) {
        Json json = config.json(KEY)
                .orElseThrow(() -> new MetadataException(config.at(KEY) + ": is required, but missing"));
        if (!(json instanceof Json.Str text)) {
            throw Config.expected(config.at(KEY), "a path", json);
        }
        int end = text.value().length();
        while (end > 0 && text.value().charAt(end - 1) == '/') {
            end--;
        }
        String key = text.value().substring(0, end);
        List<String> names = Arrays.asList(key.split("/", -1));
        if (names.size() > MAX_NAMES) {
            throw new UnsupportedException(config.at(KEY) + ": expected a path of at most " + MAX_NAMES
                    + " names, found one of " + names.size());
        }
        if (names.contains("..")) {
            throw new UnsupportedException(config.at(KEY) + ": expected a path below the volume, found " + json);
        }
        if (names.contains("") || names.contains(".") || names.stream().anyMatch(name -> name.startsWith("__"))) {
            throw Config.expected(config.at(KEY), "a path such as 8_8_40", json);
        }
        return key;
    }

    private static Optional<HashedShards> shards(Config config, VolumeGrid grid) {
        Json stated = config.json(SHARDING).orElseGet(Json.Null::new);
        if (stated instanceof Json.Null) {
            return Optional.empty();
        }
        if (!(stated instanceof Json.Obj sharding)) {
            throw Config.expected(config.at(SHARDING), "an object", stated);
        }
        String at = config.at(SHARDING);
        return Optional.of(HashedShards.of(grid, Sharding.of(new Config(sharding, at, Extensions.none())), at));
    }

    /** Returns the largest believable size of an encoded chunk. */
    private static long most(VolumeGrid grid, Encoding encoding, Elements elements) {
        long left = Limits.LARGEST_CHUNK / elements.size() / elements.channels();
        for (long length : grid.chunk()) {
            left /= length;
        }
        if (left == 0) {
            return Limits.LARGEST_CHUNK;
        }
        long bytes = elements.size() * elements.channels() * grid.chunk()[0] * grid.chunk()[1] * grid.chunk()[2];
        return encoding == Encoding.RAW ? bytes : Math.min(Limits.LARGEST_CHUNK, 2 * bytes + ROOM);
    }

    private static Json.Obj attributes(Json.Obj members, VolumeGrid grid) {
        Map<String, Json> attributes = new LinkedHashMap<>(members.members());
        attributes.keySet().removeAll(STORAGE);
        attributes.put(VolumeGrid.OFFSET, Json.of(grid.offset()));
        return new Json.Obj(attributes);
    }

    private static Json.Obj document(
            VolumeGrid grid, Elements elements, Json.Arr codecs, Json transformer, Json.Obj attributes) {
        long[] shape = Arrays.copyOf(grid.size(), VolumeGrid.RANK);
        shape[VolumeGrid.SPACE] = elements.channels();
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of(elements.type()))
                .with("chunk_grid", chunkGrid(grid, elements.channels()))
                .with("chunk_key_encoding", Json.extension("v2", Json.object().with("separator", Json.of("/"))))
                .with("fill_value", Json.of(0))
                .with("codecs", codecs)
                .with("storage_transformers", new Json.Arr(List.of(transformer)))
                .with(
                        "dimension_names",
                        new Json.Arr(List.of(Json.of("x"), Json.of("y"), Json.of("z"), Json.of("channel"))))
                .with("attributes", attributes);
    }

    /** Returns a regular grid, or one whose last chunks are cut. */
    private static Json chunkGrid(VolumeGrid grid, long channels) {
        boolean isCut = false;
        List<Json> edges = new ArrayList<>();
        for (int d = 0; d < VolumeGrid.SPACE; d++) {
            long chunk = Math.min(grid.chunk()[d], grid.size()[d]);
            long rest = grid.size()[d] % chunk;
            isCut |= rest > 0 || chunk < grid.chunk()[d];
            List<Json> runs = new ArrayList<>();
            runs.add(Json.of(new long[] {chunk, grid.size()[d] / chunk}));
            if (rest > 0) {
                runs.add(Json.of(rest));
            }
            edges.add(new Json.Arr(runs));
        }
        if (!isCut) {
            long[] shape = Arrays.copyOf(grid.chunk(), VolumeGrid.RANK);
            shape[VolumeGrid.SPACE] = channels;
            return Json.extension("regular", Json.object().with("chunk_shape", Json.of(shape)));
        }
        edges.add(Json.of(channels));
        return Json.extension(
                "rectilinear", Json.object().with("kind", Json.of("inline")).with("chunk_shapes", new Json.Arr(edges)));
    }
}
