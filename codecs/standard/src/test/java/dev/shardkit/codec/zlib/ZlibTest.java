package dev.shardkit.codec.zlib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class ZlibTest extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
        return new ZlibCodec(6);
    }

    private static byte[] decode(byte[] encoded, DecodedSize size) {
        try (Scratch scratch = new Scratch()) {
            return new ZlibCodec(1).decode(Bytes.of(encoded), size, scratch).toArray();
        }
    }

    private static byte[] encoded(byte[] content) {
        return new ZlibCodec(6).encode(Bytes.of(content), new Scratch()).toArray();
    }

    @Test
    void encode_everyLevel_isReadByTheJdk() throws IOException {
        byte[] smooth = SampleBytes.make(SampleBytes.Kind.SMOOTH, 100_000);
        try (Scratch scratch = new Scratch()) {
            for (int level = -1; level <= 9; level++) {
                byte[] bytes =
                        new ZlibCodec(level).encode(Bytes.of(smooth), scratch).toArray();
                assertArrayEquals(smooth, new InflaterInputStream(new ByteArrayInputStream(bytes)).readAllBytes());
            }
        }
    }

    @Test
    void decode_damage_isToldApart() {
        byte[] content = SampleBytes.make(SampleBytes.Kind.SMOOTH, 5000);
        byte[] good = encoded(content);
        DecodedSize size = DecodedSize.exactly(5000);
        byte[] sum = good.clone();
        sum[sum.length - 1] ^= 1;
        assertThrows(ChecksumException.class, () -> decode(sum, size));
        assertArrayEquals(content, decode(good, size));
        refused(Arrays.copyOf(good, good.length + 1), size, "no bytes after the stream, found 1");
        refused(Arrays.copyOf(good, good.length - 2), size, "ends early");
        refused(HexFormat.of().parseHex("1f8b080000000000000a"), size, "not a valid zlib stream");
        refused(good, DecodedSize.exactly(4999), "found more");
        refused(good, DecodedSize.exactly(5_000_000_000L / 1000 * 400), "cannot hold");
    }

    @Test
    void decode_presetDictionary_isRefused() {
        Deflater deflater = new Deflater();
        deflater.setDictionary("abcdefgh".getBytes());
        deflater.setInput("abcdefghabcdefgh".getBytes());
        deflater.finish();
        byte[] out = new byte[100];
        int n = deflater.deflate(out);
        deflater.end();
        refused(Arrays.copyOf(out, n), DecodedSize.exactly(16), "preset dictionary");
    }

    private static void refused(byte[] bad, DecodedSize size, String saying) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(bad, size));
        assertEquals(CorruptDataException.class, e.getClass());
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }
}
