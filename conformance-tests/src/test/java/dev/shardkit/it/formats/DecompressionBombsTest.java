package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small objects of other formats that claim or decode to 24 MiB and more, in chunks of 1 MiB: refused, and no more is
 * allocated than a few times the chunk.
 */
@Timeout(240)
class DecompressionBombsTest {
    /** One worker: the calling thread, whose allocation can be told. */
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withParallelism(1);

    private static final int CHUNK = 1 << 20;
    private static final int BOMB = 24 << 20;
    /** A chunk, its encoding, and the tables of a decoder: those of bzip2 take 3.6 MB. */
    private static final long MAX = 8L * CHUNK;

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private void refused(String location) {
        try (ZarrArray array = Zarr.openArray(location, OPTIONS)) {
            assertThrows(CorruptDataException.class, array::read); // loads what is allocated once
            long id = Thread.currentThread().getId();
            long before = thread.getThreadAllocatedBytes(id);
            CorruptDataException e = assertThrows(CorruptDataException.class, array::read);
            long allocated = thread.getThreadAllocatedBytes(id) - before;
            assertTrue(allocated < MAX, () -> allocated + " bytes allocated: " + e.getMessage());
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Returns 24 MiB of zeros, as a codec encodes them. */
    private byte[] zeros(Json codec) throws IOException {
        Path at = folder.resolve("zeros");
        ArraySpec spec = ArraySpec.of("uint8", BOMB)
                .withChunkShape(BOMB)
                .withCodecs(codec)
                .withFillValue(Json.of(1));
        try (ZarrArray array = Zarr.createArray(at.toString(), spec, IfExists.REFUSE, OPTIONS)) {
            array.write(array.domain(), new byte[BOMB], 0);
        }
        return Files.readAllBytes(at.resolve("c/0"));
    }

    private static Json codec(String name, String member, Json value) {
        return Codecs.named(name, Json.object().with(member, value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zlib", "bzip2", "xz", "zstd", "blosc", "lz4"})
    void blocksOfN5(String compression) throws IOException {
        Json codec =
                switch (compression) {
                    case "gzip" -> Codecs.gzip(9);
                    case "zlib" -> codec("numcodecs.zlib", "level", Json.of(9));
                    case "bzip2" -> codec("numcodecs.bz2", "level", Json.of(9));
                    case "xz" -> codec("numcodecs.lzma", "preset", Json.of(6));
                    case "zstd" -> Codecs.zstd(3);
                    case "blosc" -> Codecs.blosc("lz4", 5, 1);
                    default -> codec("n5.lz4_block", "block_size", Json.of(1 << 25));
                };
        byte[] encoded = zeros(codec); // before the folder is an array, which has no children
        String type = compression.equals("zlib") ? "\"gzip\", \"useZlib\": true" : "\"" + compression + "\"";
        Files.writeString(
                folder.resolve("attributes.json"),
                "{\"dimensions\": [1024, 1024], \"blockSize\": [1024, 1024], \"dataType\": \"uint8\", "
                        + "\"compression\": {\"type\": " + type + "}}");
        byte[] header =
                ByteBuffer.allocate(12).putInt(2).putInt(1024).putInt(1024).array();
        Files.createDirectories(folder.resolve("0"));
        Files.write(folder.resolve("0/0"), joined(header, encoded));
        refused("n5:" + folder);
    }

    /** A block that claims 32 MiB, and has one byte. */
    @Test
    void lz4BlockThatClaimsMuch() throws IOException {
        Files.writeString(
                folder.resolve("attributes.json"),
                "{\"dimensions\": [1024, 1024], \"blockSize\": [1024, 1024], \"dataType\": \"uint8\", "
                        + "\"compression\": {\"type\": \"lz4\"}}");
        ByteBuffer block = ByteBuffer.allocate(12 + 21 + 1);
        block.putInt(2).putInt(1024).putInt(1024);
        block.put("LZ4Block".getBytes(StandardCharsets.US_ASCII)).put((byte) 0x2f);
        block.order(ByteOrder.LITTLE_ENDIAN).putInt(1).putInt(1 << 25).putInt(0);
        Files.createDirectories(folder.resolve("0"));
        Files.write(folder.resolve("0/0"), block.array());
        refused("n5:" + folder);
    }

    /** A volume of one chunk of 1 MiB. */
    private Path volume(String type, String encoding, String sharding) throws IOException {
        int z = type.equals("uint8") ? 64 : 32;
        Files.writeString(
                folder.resolve("info"),
                "{\"@type\": \"neuroglancer_multiscale_volume\", \"data_type\": \"" + type + "\", \"num_channels\": 1, "
                        + "\"scales\": [{\"key\": \"s\", \"size\": [128, 128, " + z + "], \"chunk_sizes\": [[128, 128, "
                        + z + "]], \"encoding\": \"" + encoding + "\"" + sharding + "}]}");
        return Files.createDirectories(folder.resolve("s")).resolve("0-128_0-128_0-" + z);
    }

    private static byte[] image(String format, int width, int height) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY), format, out);
        return out.toByteArray();
    }

    private static byte[] chunk(String type, byte[] content) {
        byte[] named = joined(type.getBytes(StandardCharsets.US_ASCII), content);
        CRC32 crc = new CRC32();
        crc.update(named);
        return joined(
                ByteBuffer.allocate(4).putInt(content.length).array(),
                named,
                ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater(9);
        deflater.setInput(bytes);
        deflater.finish();
        byte[] out = new byte[1 << 20];
        int n = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, n);
    }

    /** A PNG image of gray or other pixels. */
    private static byte[] png(int width, int height, int bits, int color, byte[]... chunks) {
        ByteBuffer header = ByteBuffer.allocate(13).putInt(width).putInt(height);
        header.put((byte) bits).put((byte) color);
        return joined(
                new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10},
                chunk("IHDR", header.array()),
                joined(chunks),
                chunk("IEND", new byte[0]));
    }

    @Test
    void imagesThatClaimManyPixels() throws IOException {
        byte[] rows = chunk("IDAT", deflated(new byte[BOMB]));
        Path png = volume("uint8", "png", "");
        Files.write(png, png(60_000, 60_000, 8, 0, rows));
        refused("neuroglancer:" + folder + "/s");
        Path jpeg = volume("uint8", "jpeg", "");
        byte[] small = image("jpeg", 16, 16);
        int frame = 0;
        while ((small[frame] & 0xff) != 0xff || (small[frame + 1] & 0xff) != 0xc0) {
            frame++;
        }
        Files.write(
                jpeg,
                ByteBuffer.wrap(small)
                        .putShort(frame + 5, (short) 60_000)
                        .putShort(frame + 7, (short) 60_000)
                        .array());
        refused("neuroglancer:" + folder + "/s");
    }

    /** The right number of pixels, which take 8 bytes each instead of one. */
    @ParameterizedTest
    @CsvSource({"16, 6", "16, 4", "8, 2"})
    void imagesOfOtherPixels(int bits, int color) throws IOException {
        Path png = volume("uint8", "png", "");
        Files.write(png, png(128, 8192, bits, color, chunk("IDAT", deflated(new byte[8 * CHUNK + 8192]))));
        refused("neuroglancer:" + folder + "/s");
    }

    /** Text and colour profiles of 24 MiB before an image that is sound, and behind rows. */
    @ParameterizedTest
    @ValueSource(strings = {"zTXt", "iCCP", "iTXt", "IDAT"})
    void imagesWithMoreThanPixels(String kind) throws IOException {
        byte[] packed = deflated(new byte[BOMB]);
        byte[] rows = new byte[8192 * 129];
        Arrays.fill(rows, 129 * 100, 129 * 100 + 100, (byte) 0);
        byte[] name = "a\0\0".getBytes(StandardCharsets.US_ASCII);
        byte[] before = kind.equals("IDAT")
                ? new byte[0]
                : chunk(
                        kind,
                        kind.equals("iTXt") ? joined(new byte[] {'a', 0, 1, 0, 0, 0}, packed) : joined(name, packed));
        byte[] image = png(128, 8192, 8, 0, before, chunk("IDAT", kind.equals("IDAT") ? packed : deflated(rows)));
        Files.write(volume("uint8", "png", ""), image);
        try (ZarrArray array = Zarr.openArray("neuroglancer:" + folder + "/s", OPTIONS)) {
            byte[] expected = new byte[CHUNK];
            long id = Thread.currentThread().getId();
            assertArrayEquals(expected, array.read().bytes());
            long before2 = thread.getThreadAllocatedBytes(id);
            array.read();
            long allocated = thread.getThreadAllocatedBytes(id) - before2;
            assertTrue(allocated < MAX, () -> kind + ": " + allocated + " bytes allocated");
        }
    }

    @Test
    void compressedFilesOfCloudVolume() throws IOException {
        Path file = volume("uint8", "raw", "");
        Files.write(file.resolveSibling(file.getFileName() + ".gz"), gzip(new byte[BOMB]));
        refused("neuroglancer:" + folder + "/s");
    }

    private static String sharding(String index, String data) {
        return ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", \"hash\": \"identity\", "
                + "\"preshift_bits\": 0, \"minishard_bits\": 0, \"shard_bits\": 0, \"minishard_index_encoding\": \""
                + index + "\", \"data_encoding\": \"" + data + "\"}";
    }

    private static byte[] words(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return bytes.array();
    }

    @Test
    void minishardIndexesAndChunks() throws IOException {
        byte[] bomb = gzip(new byte[BOMB]);
        Path shard = volume("uint8", "raw", sharding("gzip", "raw")).resolveSibling("0.shard");
        Files.write(shard, joined(words(0, bomb.length), bomb));
        refused("neuroglancer:" + folder + "/s");
        volume("uint8", "raw", sharding("raw", "gzip"));
        Files.write(shard, joined(words(bomb.length, bomb.length + 24), bomb, words(0, 0, bomb.length)));
        refused("neuroglancer:" + folder + "/s");
    }

    /** A chunk of a sparse frame: 12 by 8 by 8 elements of 2 bytes, in 9 blocks of 240 bytes. */
    private static byte[] blosc2(int flags2, int nbytes, int blocksize, byte[] stream) {
        ByteBuffer chunk = ByteBuffer.allocate(32 + 4 * 9 + 4 + stream.length).order(ByteOrder.LITTLE_ENDIAN);
        chunk.put((byte) 5).put((byte) 1).put((byte) (4 << 5 | 16 | 5)).put((byte) 2);
        chunk.putInt(nbytes).putInt(blocksize).putInt(chunk.capacity());
        chunk.put(31, (byte) flags2).position(32);
        for (int block = 0; block < 9; block++) {
            chunk.putInt(32 + 4 * 9);
        }
        return chunk.putInt(stream.length).put(stream).array();
    }

    @Test
    void chunksOfBlosc2() throws IOException {
        Samples.unpack("blosc2.zip", folder.resolve("b2nd"));
        Path frame = folder.resolve("b2nd/sparse.b2nd");
        Path chunk = frame.resolve("00000000.chunk");
        int[] header = {2160, 240};
        byte[] zstd = zeros(Codecs.zstd(3));
        Files.write(chunk, blosc2(0, header[0], header[1], zstd));
        refused("b2nd:" + frame);
        for (int special = 0; special <= 4; special++) {
            Files.write(chunk, blosc2(special << 4, 1 << 30, header[1], zstd));
            refused("b2nd:" + frame);
            Files.write(chunk, blosc2(special << 4, 1 << 30, 1 << 30, zstd));
            refused("b2nd:" + frame);
        }
        Files.write(chunk, blosc2(0, header[0], 1 << 30, zstd));
        refused("b2nd:" + frame);
    }
}
