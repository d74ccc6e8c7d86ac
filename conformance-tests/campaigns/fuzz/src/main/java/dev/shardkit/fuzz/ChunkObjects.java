package dev.shardkit.fuzz;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Fuzz target for stored chunks and shards. The first byte of the input chooses a small array, whose only stored chunk
 * is the rest of the input. If the whole array can be read, each half can be read too and has the same elements, and
 * verification finds no error.
 */
final class ChunkObjects {
    private static final String KEY = "c/0/0";
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults()
            .withParallelism(1)
            .withLimits(Limits.defaults().withChunkBytes(1 << 20));
    static final String CRC = "{\"name\": \"crc32c\"}";
    static final String BYTES = "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}";

    /** Shards: with the index at the end or the start, with or without checksum, compressed, nested, transposed. */
    static final ChunkObjects SHARDS = new ChunkObjects(
            4,
            6,
            List.of(
                    array("uint16", "0", shard("[2, 3]", BYTES, BYTES + ", " + CRC, "end")),
                    array("uint16", "0", shard("[2, 3]", BYTES, BYTES, "start")),
                    array("uint16", "0", shard("[2, 3]", BYTES, BYTES, "end")),
                    array(
                            "int32",
                            "-1",
                            shard(
                                    "[4, 2]",
                                    BYTES + ", {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}",
                                    BYTES,
                                    "end")),
                    array(
                            "uint8",
                            "9",
                            shard("[4, 6]", shard("[2, 2]", "{\"name\": \"bytes\"}", BYTES, "start"), BYTES, "end")),
                    array(
                            "float32",
                            "\"NaN\"",
                            "{\"name\": \"transpose\", \"configuration\": {\"order\": [1, 0]}}, "
                                    + shard("[3, 2]", BYTES + ", " + CRC, BYTES, "end")),
                    array("uint8", "0", shard("[2, 3]", "{\"name\": \"bytes\"}", BYTES, "end") + ", " + CRC),
                    array("string", "\"\"", shard("[2, 3]", "{\"name\": \"vlen-utf8\"}", BYTES, "start"))));

    /** Chunks that are not shards: each codec from arrays to bytes, some with a checksum or a compressor after it. */
    static final ChunkObjects OTHERS = new ChunkObjects(
            4,
            6,
            List.of(
                    array("string", "\"x\"", "{\"name\": \"vlen-utf8\"}"),
                    array("variable_length_bytes", "[]", "{\"name\": \"vlen-bytes\"}"),
                    array("bool", "false", "{\"name\": \"packbits\"}"),
                    array(
                            "bool",
                            "false",
                            "{\"name\": \"packbits\", \"configuration\": {\"padding_encoding\": \"first_byte\"}}"),
                    array("bool", "true", "{\"name\": \"bytes\"}"),
                    array("int16", "0", BYTES + ", " + CRC),
                    array(
                            "string",
                            "\"\"",
                            "{\"name\": \"vlen-utf8\"}, {\"name\": \"zstd\", \"configuration\": {\"level\": 1, "
                                    + "\"checksum\": false}}")));

    private final long rows;
    private final long columns;
    private final List<Store> stores;
    private final List<ZarrArray> arrays;

    /**
     * Creates arrays of one chunk.
     *
     * @param rows the number of rows, an even number
     * @param documents the ends of metadata documents, from {@link #array}; shape and chunk shape are added here
     */
    ChunkObjects(long rows, long columns, List<String> documents) {
        this.rows = rows;
        this.columns = columns;
        stores = documents.stream().map(this::store).toList();
        arrays = stores.stream().map(s -> Zarr.openArray(s, "", OPTIONS)).toList();
    }

    private Store store(String rest) {
        String shape = "[" + rows + ", " + columns + "]";
        String document = "{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": " + shape
                + ", \"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": " + shape
                + "}}, \"chunk_key_encoding\": {\"name\": \"default\"}, " + rest;
        MemoryStore store = MemoryStore.create();
        Stored.put(store, "zarr.json", document.getBytes(StandardCharsets.UTF_8));
        return store;
    }

    /** Returns the end of the metadata document of an array. */
    static String array(String type, String fill, String codecs) {
        return "\"data_type\": \"" + type + "\", \"fill_value\": " + fill + ", \"codecs\": [" + codecs + "]}";
    }

    /** Returns the configuration of the sharding codec. */
    static String shard(String inner, String codecs, String indexCodecs, String location) {
        return "{\"name\": \"sharding_indexed\", \"configuration\": {\"chunk_shape\": " + inner + ", \"codecs\": ["
                + codecs + "], \"index_codecs\": [" + indexCodecs + "], \"index_location\": \"" + location + "\"}}";
    }

    void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int which = (input[0] & 0xff) % arrays.size();
        Stored.put(stores.get(which), KEY, FuzzTarget.behind(input, 1));
        ZarrArray array = arrays.get(which);
        Optional<NdArray> whole = FuzzTarget.declared(array::read);
        Optional<NdArray> top = FuzzTarget.declared(() -> array.read(half(0)));
        Optional<NdArray> bottom = FuzzTarget.declared(() -> array.read(half(rows / 2)));
        if (whole.isPresent()) {
            FuzzTarget.check(top.isPresent() && bottom.isPresent(), "an array that reads whole reads in parts");
            List<String> all = elements(whole.get());
            FuzzTarget.check(
                    all.subList(0, all.size() / 2).equals(elements(top.get())), "the upper half is that of the whole");
            FuzzTarget.check(
                    all.subList(all.size() / 2, all.size()).equals(elements(bottom.get())),
                    "the lower half is that of the whole");
            FuzzTarget.check(Verification.of(array).run(finding -> {}).errors() == 0, "what reads whole is healthy");
        }
    }

    private Box half(long from) {
        return Box.of(new long[] {from, 0}, new long[] {rows / 2, columns});
    }

    /** Returns a valid input for each array. */
    List<byte[]> samples() throws IOException {
        List<byte[]> samples = new ArrayList<>();
        for (int i = 0; i < arrays.size(); i++) {
            ZarrArray array = arrays.get(i);
            array.write(array.domain(), NdArray.of(array.dataType(), array.shape(), carrier(array)));
            try (ObjectSnapshot object =
                    BlockingStore.to(stores.get(i)).open(KEY).orElseThrow()) {
                ByteBuffer input = ByteBuffer.allocate(Math.toIntExact(object.size()) + 1);
                object.read(0, input.put((byte) i).slice()); // the first byte chooses the array
                samples.add(input.array());
            }
        }
        return samples;
    }

    /**
     * Returns the elements of the array, of which every third one is changed from the fill value. Strings are JSON
     * documents, because the codec {@code numcodecs.json2} needs them. Lengths of byte arrays are multiples of 4,
     * because {@code numcodecs.vlen-array} stores 32-bit integers.
     */
    private static Object carrier(ZarrArray array) {
        Object carrier = array.read().array();
        for (int i = 0; i < Array.getLength(carrier); i += 3) {
            if (carrier instanceof String[] s) {
                s[i] = "\"text " + i + "\"";
            } else if (carrier instanceof byte[][] b) {
                b[i] = new byte[i % 64 / 4 * 4];
            } else if (carrier instanceof boolean[] b) {
                b[i] = !b[i];
            } else if (carrier instanceof byte[] b) {
                b[i] = (byte) i;
            } else if (carrier instanceof short[] s) {
                s[i] = (short) i;
            } else if (carrier instanceof int[] n) {
                n[i] = i;
            } else if (carrier instanceof float[] f) {
                f[i] = i;
            } else if (carrier instanceof double[] d) {
                d[i] = i;
            }
        }
        return carrier;
    }

    /** Returns the elements as text, so that NaN equals NaN and byte arrays are compared by content. */
    private static List<String> elements(NdArray array) {
        Object carrier = array.array();
        return IntStream.range(0, Array.getLength(carrier))
                .mapToObj(i -> Array.get(carrier, i))
                .map(e -> e instanceof byte[] b ? Arrays.toString(b) : String.valueOf(e))
                .toList();
    }
}
