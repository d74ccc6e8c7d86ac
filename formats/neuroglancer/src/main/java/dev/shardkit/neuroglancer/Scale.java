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
 * A scale (one resolution) of a neuroglancer volume, translated to a document of Zarr v3 with the dimensions x, y, z
 * and channel. The file {@code info} of the volume describes its scales (volume.md of neuroglancer's "precomputed"
 * format, "scales"). Immutable.
 *
 * @param key the path of the scale relative to the volume
 * @param document the document of the array
 */
record Scale(String key, Json.Obj document) {
    private static final String KEY = "key";
    private static final String CHUNK_SIZES = "chunk_sizes";
    private static final String ENCODING = "encoding";
    private static final String BLOCK_SIZE = "compressed_segmentation_block_size";
    private static final String SHARDING = "sharding";
    /**
     * The maximum size of an encoded chunk is twice its decoded size and this many bytes; see {@link #maxEncodedSize}.
     */
    private static final long MAX_OVERHEAD = 1 << 16;
    /**
     * The maximum number of names in a key. Each name becomes a group, so a hostile document could otherwise create any
     * number of groups.
     */
    private static final int MAX_NAMES = 16;
    /** Members that describe the storage of the scale. They do not become attributes. */
    private static final Set<String> STORAGE_MEMBERS =
            Set.of(KEY, VolumeGrid.SIZE, CHUNK_SIZES, ENCODING, BLOCK_SIZE, SHARDING, "jpeg_quality", "png_level");

    /**
     * The elements of a volume.
     *
     * @param type the data type
     * @param channels the number of channels
     */
    record Elements(String type, long channels) {
        /** The size in bytes of each data type. */
        static final Map<String, Integer> SIZES = sizesByType();

        private static Map<String, Integer> sizesByType() {
            Map<String, Integer> sizes = new LinkedHashMap<>();
            for (String sign : List.of("uint", "int")) {
                for (int bytes = 1; bytes <= Long.BYTES; bytes *= 2) {
                    sizes.put(sign + bytes * Byte.SIZE, bytes);
                }
            }
            sizes.put("float32", Float.BYTES);
            return java.util.Collections.unmodifiableMap(sizes);
        }

        /** Parses the name of a data type, ignoring case; empty if there is no such type. */
        static Optional<String> parseType(Json json) {
            return json instanceof Json.Str text
                    ? Optional.of(text.value().toLowerCase(Locale.ROOT)).filter(SIZES::containsKey)
                    : Optional.empty();
        }

        int size() {
            return SIZES.get(type);
        }
    }

    /**
     * Parses a scale.
     *
     * @param config the description of the scale
     * @param members all members of the description, which become attributes unless they describe the storage
     */
    static Scale parse(Config config, Json.Obj members, Elements elements) {
        long[] size = VolumeGrid.readLengths(config, VolumeGrid.SIZE, 1);
        // the members of the grid, in the form that VolumeGrid parses
        Config storage = new Config(
                Json.object()
                        .with(VolumeGrid.SIZE, Json.of(size))
                        .with(VolumeGrid.CHUNK, Json.of(readChunkSize(config)))
                        .with(VolumeGrid.OFFSET, members.get(VolumeGrid.OFFSET).orElseGet(() -> Json.of(new long[3]))),
                config.pointer(),
                Extensions.none());
        VolumeGrid grid = VolumeGrid.parse(storage);
        Encoding encoding = Encoding.parse(config, elements);
        Optional<HashedShards> shards = readSharding(config, grid);
        List<Json> codecs = new ArrayList<>(encoding.codecs());
        shards.filter(hashedShards -> hashedShards.sharding().data() == Sharding.Encoding.GZIP)
                .ifPresent(hashedShards ->
                        codecs.add(Json.extension("gzip", Json.object().with("level", Json.of(6)))));
        Json transformer = shards.map(hashedShards -> Json.extension(HashedShards.NAME, hashedShards.configuration()))
                .orElseGet(() -> Json.extension(
                        ChunkFiles.NAME,
                        new ChunkFiles(grid, maxEncodedSize(grid, encoding, elements)).configuration()));
        return new Scale(
                readKey(config),
                arrayDocument(grid, elements, new Json.Arr(codecs), transformer, attributesOf(members, grid)));
    }

    /**
     * Returns the first chunk size. An unsharded scale may be stored in several chunk sizes, each in files of its own.
     */
    private static long[] readChunkSize(Config config) {
        Json sizes = config.json(CHUNK_SIZES)
                .orElseThrow(() -> new MetadataException(config.at(CHUNK_SIZES) + ": is required, but missing"));
        if (!(sizes instanceof Json.Arr list) || list.items().isEmpty()) {
            throw Config.expected(config.at(CHUNK_SIZES), "a list of chunk sizes", sizes);
        }
        if (list.items().size() > 1 && config.json(SHARDING).isPresent()) {
            throw new MetadataException(config.at(CHUNK_SIZES) + ": expected one chunk size in a sharded scale, found "
                    + list.items().size());
        }
        // the first item becomes a member "0", so that messages name its position
        Config first =
                new Config(Json.object().with("0", list.items().get(0)), config.at(CHUNK_SIZES), Extensions.none());
        return VolumeGrid.readLengths(first, "0", 1);
    }

    /** Returns the path of the scale, which must lie below the volume. */
    private static String readKey(Config config) {
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
        if (names.contains("")
                || names.contains(".")
                || names.stream().anyMatch(pathName -> pathName.startsWith("__"))) {
            throw Config.expected(config.at(KEY), "a path such as 8_8_40", json);
        }
        return key;
    }

    /** Returns the shards of a scale; empty if each chunk is a file. */
    private static Optional<HashedShards> readSharding(Config config, VolumeGrid grid) {
        Json value = config.json(SHARDING).orElseGet(Json.Null::new);
        if (value instanceof Json.Null) {
            return Optional.empty();
        }
        if (!(value instanceof Json.Obj sharding)) {
            throw Config.expected(config.at(SHARDING), "an object", value);
        }
        String pointer = config.at(SHARDING);
        return Optional.of(
                HashedShards.create(grid, Sharding.parse(new Config(sharding, pointer, Extensions.none())), pointer));
    }

    /** Returns the maximum plausible size of an encoded chunk, so that a damaged file cannot fill the memory. */
    private static long maxEncodedSize(VolumeGrid grid, Encoding encoding, Elements elements) {
        // divides the limit by each length in turn, because their product may exceed 2^63
        long remaining = Limits.LARGEST_CHUNK / elements.size() / elements.channels();
        for (long length : grid.chunk()) {
            remaining /= length;
        }
        if (remaining == 0) {
            return Limits.LARGEST_CHUNK;
        }
        long bytes = elements.size() * elements.channels() * grid.chunk()[0] * grid.chunk()[1] * grid.chunk()[2];
        return encoding == Encoding.RAW ? bytes : Math.min(Limits.LARGEST_CHUNK, 2 * bytes + MAX_OVERHEAD);
    }

    private static Json.Obj attributesOf(Json.Obj members, VolumeGrid grid) {
        Map<String, Json> attributes = new LinkedHashMap<>(members.members());
        attributes.keySet().removeAll(STORAGE_MEMBERS);
        attributes.put(VolumeGrid.OFFSET, Json.of(grid.offset()));
        return new Json.Obj(attributes);
    }

    private static Json.Obj arrayDocument(
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

    /**
     * Returns a regular grid, or a rectilinear one if the last chunks are shorter. A rectilinear grid lists, for each
     * dimension, the pair of length and number of equal chunks, and the length of the last chunk.
     */
    private static Json chunkGrid(VolumeGrid grid, long channels) {
        boolean hasPartialChunks = false;
        List<Json> chunkLengths = new ArrayList<>();
        for (int d = 0; d < VolumeGrid.SPACE; d++) {
            long chunk = Math.min(grid.chunk()[d], grid.size()[d]);
            long remainder = grid.size()[d] % chunk;
            hasPartialChunks |= remainder > 0 || chunk < grid.chunk()[d];
            List<Json> runs = new ArrayList<>();
            runs.add(Json.of(new long[] {chunk, grid.size()[d] / chunk}));
            if (remainder > 0) {
                runs.add(Json.of(remainder));
            }
            chunkLengths.add(new Json.Arr(runs));
        }
        if (!hasPartialChunks) {
            long[] shape = Arrays.copyOf(grid.chunk(), VolumeGrid.RANK);
            shape[VolumeGrid.SPACE] = channels;
            return Json.extension("regular", Json.object().with("chunk_shape", Json.of(shape)));
        }
        chunkLengths.add(Json.of(channels));
        return Json.extension(
                "rectilinear",
                Json.object().with("kind", Json.of("inline")).with("chunk_shapes", new Json.Arr(chunkLengths)));
    }
}
