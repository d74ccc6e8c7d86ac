package dev.shardkit.codec.gzip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class GzipTest extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
        return new GzipCodec(6);
    }

    @Test
    void encode_everyLevel_isReadByTheJdk() throws IOException {
        byte[] smooth = SampleBytes.make(SampleBytes.Kind.SMOOTH, 100_000);
        int last = Integer.MAX_VALUE;
        try (Scratch scratch = new Scratch()) {
            for (int level : new int[] {0, 1, 6}) {
                byte[] encoded =
                        new GzipCodec(level).encode(Bytes.of(smooth), scratch).toArray();
                byte[] decoded = new GZIPInputStream(new ByteArrayInputStream(encoded)).readAllBytes();
                assertArrayEquals(smooth, decoded, "level " + level);
                assertTrue(encoded.length < last, "level " + level + ": " + encoded.length + " bytes, before " + last);
                last = encoded.length;
            }
        }
    }

    @Test
    void encode_header_holdsNoTimeAndNoSystem() {
        byte[] encoded = new GzipCodec(6).encode(Bytes.EMPTY, new Scratch()).toArray();
        assertEquals("1f8b08000000000000ff", HexFormat.of().formatHex(Arrays.copyOf(encoded, 10)));
        assertEquals("0000000000000000", HexFormat.of().formatHex(encoded, encoded.length - 8, encoded.length));
    }

    @Test
    void encode_again_isTheSame() {
        byte[] noise = SampleBytes.make(SampleBytes.Kind.NOISE, 70_000);
        try (Scratch used = new Scratch();
                Scratch fresh = new Scratch()) {
            codec().encode(Bytes.of(SampleBytes.make(SampleBytes.Kind.SMOOTH, 5000)), used);
            byte[] encoded = codec().encode(Bytes.of(noise), fresh).toArray();
            assertArrayEquals(encoded, codec().encode(Bytes.of(noise), used).toArray());
        }
    }

    @Test
    void level_outOfRange_isTheCallersMistake() {
        assertThrows(IllegalArgumentException.class, () -> new GzipCodec(10));
        assertThrows(IllegalArgumentException.class, () -> new GzipCodec(-1));
    }
}
