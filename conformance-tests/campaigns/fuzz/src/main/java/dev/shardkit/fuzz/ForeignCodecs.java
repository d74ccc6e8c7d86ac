package dev.shardkit.fuzz;

import static dev.shardkit.fuzz.ChunkObjects.BYTES;
import static dev.shardkit.fuzz.ChunkObjects.CRC;
import static dev.shardkit.fuzz.ChunkObjects.array;
import static dev.shardkit.fuzz.ChunkObjects.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzz targets for chunks with the codecs of other formats: those of numcodecs, HDF5's filters (as the codec
 * {@code conditional}, which applies each filter only if the chunk says so), and blocks of N5.
 */
final class ForeignCodecs {
    /** The shape of the arrays. */
    private static final int ROWS = 16;

    private static final int COLUMNS = 24;

    /** The codec {@code bytes} for elements of one byte, which need no byte order. */
    private static final String ONE = "{\"name\": \"bytes\"}";

    private static final String XZ = ", " + named("numcodecs.lzma", "\"format\": 1, \"preset\": 1");
    private static final String SHUFFLE = named("numcodecs.shuffle", "\"elementsize\": 2");
    private static final String GZIP = named("gzip", "\"level\": 1");

    /** Chunks with each codec of numcodecs, and with {@code conditional} around some of them. */
    static final ChunkObjects NUMCODECS = new ChunkObjects(
            ROWS,
            COLUMNS,
            List.of(
                    array("uint8", "0", ONE + ", " + named("numcodecs.bz2", "\"level\": 1")),
                    array("uint16", "0", BYTES + XZ),
                    array("uint16", "0", BYTES + ", " + named("numcodecs.lzma", "\"format\": 2, \"preset\": 1")),
                    array(
                            "uint16",
                            "0",
                            BYTES + ", "
                                    + named(
                                            "numcodecs.lzma",
                                            "\"format\": 3, \"filters\": [{\"id\": 3, \"dist\": 2}, {\"id\": 33, "
                                                    + "\"dict_size\": 4096}]")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.adler32", "")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.crc32", "\"location\": \"end\"")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.fletcher32", "")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.jenkins_lookup3", "\"initval\": 7")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.lz4", "")),
                    array("int16", "0", BYTES + ", " + named("numcodecs.imagecodecs_lzw", "")),
                    array("variable_length_bytes", "[]", named("numcodecs.vlen-array", "\"dtype\": \"<i4\"")),
                    array("string", "\"\"", named("numcodecs.json2", "")),
                    array(
                            "int16",
                            "0",
                            named("numcodecs.delta", "\"dtype\": \"<i2\", \"astype\": \"<i4\"") + ", " + BYTES),
                    array(
                            "float64",
                            "0",
                            named("numcodecs.astype", "\"encode_dtype\": \"<f4\", \"decode_dtype\": \"<f8\"") + ", "
                                    + BYTES),
                    array(
                            "int16",
                            "0",
                            named(
                                            "numcodecs.fixedscaleoffset",
                                            "\"offset\": 3.0, \"scale\": 2, \"dtype\": \"<i2\", \"astype\": \"<i4\"")
                                    + ", " + BYTES),
                    array(
                            "float32",
                            "0",
                            named("numcodecs.quantize", "\"digits\": 2, \"dtype\": \"<f4\"") + ", " + BYTES),
                    array("bool", "false", named("numcodecs.packbits", "") + ", " + ONE),
                    array(
                            "uint16",
                            "0",
                            named(
                                            "numcodecs.imagecodecs_delta",
                                            "\"axis\": -1, \"dtype\": \"<u2\", \"shape\": [16, 24]")
                                    + ", " + BYTES),
                    array("uint16", "0", BYTES + ", " + conditional(SHUFFLE + ", " + GZIP + ", " + CRC)),
                    array("uint16", "0", BYTES + ", " + conditional(GZIP + ", " + GZIP + ", " + GZIP + XZ)),
                    array(
                            "uint16",
                            "0",
                            shard(
                                    "[8, 8]",
                                    BYTES + ", " + conditional(SHUFFLE + ", " + GZIP),
                                    BYTES + ", " + CRC,
                                    "end"))));

    private static final List<String> N5_COMPRESSORS = List.of(
            "",
            ", " + GZIP,
            ", " + named("numcodecs.zlib", "\"level\": 1"),
            ", " + named("numcodecs.bz2", "\"level\": 1"),
            XZ,
            ", " + named("zstd", "\"level\": 1, \"checksum\": false"),
            ", "
                    + named(
                            "blosc",
                            "\"cname\": \"lz4\", \"clevel\": 5, \"shuffle\": \"shuffle\", \"typesize\": 2, "
                                    + "\"blocksize\": 0"),
            ", " + named("n5.lz4_block", "\"block_size\": 64"));

    /** Blocks of N5 with each compressor, then shards of blocks. */
    static final ChunkObjects N5 = new ChunkObjects(ROWS, COLUMNS, blocks());

    private ForeignCodecs() {}

    private static String named(String name, String configuration) {
        return "{\"name\": \"" + name + "\", \"configuration\": {" + configuration + "}}";
    }

    private static String conditional(String codecs) {
        return named("conditional", "\"codecs\": [" + codecs + "]");
    }

    /** Returns the codec of N5 blocks: elements in Fortran order, big-endian, then a compressor or nothing. */
    private static String block(String compressor) {
        return named(
                "n5_default",
                "\"codecs\": [" + named("transpose", "\"order\": [1, 0]") + ", " + named("bytes", "\"endian\": \"big\"")
                        + compressor + "]");
    }

    /** Returns the arrays of {@link #N5}. */
    private static List<String> blocks() {
        List<String> all = new ArrayList<>();
        N5_COMPRESSORS.forEach(compressor -> all.add(array("uint16", "0", block(compressor))));
        all.add(array("float64", "1", block("")));
        all.add(array("uint16", "7", shard("[8, 8]", block(", " + GZIP), BYTES, "end")));
        return all;
    }

    /**
     * Returns valid inputs: whole blocks as shardkit writes them; blocks at the edge of an array, which are smaller;
     * and these in the mode {@code varlength} (mode 1 of the N5 block header), which adds the number of elements.
     */
    static List<byte[]> n5Samples() throws IOException {
        List<byte[]> samples = new ArrayList<>(N5.samples());
        for (byte[] edge : new ChunkObjects(8, 5, blocks().subList(0, N5_COMPRESSORS.size())).samples()) {
            samples.add(edge);
            // The byte that chooses the array, mode and number of dimensions (16 bits each), two lengths.
            int header = 1 + 2 * Short.BYTES + 2 * Integer.BYTES;
            ByteBuffer varlength = ByteBuffer.allocate(edge.length + Integer.BYTES);
            varlength.put(edge, 0, header).putInt(8 * 5).put(edge, header, edge.length - header);
            samples.add(varlength.putShort(1, (short) 1).array());
        }
        return samples;
    }
}
