package dev.shardkit.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import org.junit.jupiter.api.Test;

class ZstdTest extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
        return ZstdCodec.ofLevel(3);
    }

    @Test
    void encode_writesSizeAlways_andChecksumIfAskedFor() {
        for (ZstdCodec codec :
                new ZstdCodec[] {ZstdCodec.ofLevel(-5), ZstdCodec.ofLevel(22).withChecksum()}) {
            byte[] encoded = codec.encode(Bytes.of(SampleBytes.make(SampleBytes.Kind.SMOOTH, 100_000)), new Scratch())
                    .toArray();
            assertEquals(codec.checksum() ? 4 : 0, encoded[4] & 4, "the checksum flag");
            assertNotEquals(0, encoded[4] & 0xe0, "a content size");
        }
    }

    @Test
    void encode_higherLevels_getSmaller() {
        Bytes bytes = Bytes.of(SampleBytes.make(SampleBytes.Kind.SMOOTH, 100_000));
        try (Scratch scratch = new Scratch()) {
            long quick = ZstdCodec.ofLevel(-50).encode(bytes, scratch).size();
            long usual = ZstdCodec.ofLevel(3).encode(bytes, scratch).size();
            long slow = ZstdCodec.ofLevel(12).encode(bytes, scratch).size();
            assertTrue(quick > usual && usual > slow, quick + ", " + usual + ", " + slow);
        }
    }

    @Test
    void level_outOfRange_isTheCallersMistake() {
        assertThrows(IllegalArgumentException.class, () -> ZstdCodec.ofLevel(23));
        assertThrows(IllegalArgumentException.class, () -> ZstdCodec.ofLevel(-131073));
    }

    @Test
    void equality_isOfLevelAndChecksum() {
        assertEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(3));
        assertNotEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(3).withChecksum());
        assertNotEquals(ZstdCodec.ofLevel(3), ZstdCodec.ofLevel(4));
    }
}
