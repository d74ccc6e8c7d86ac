package dev.shardkit.codec.conditional;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.codec.shuffle.ShuffleCodec;
import dev.shardkit.codec.zlib.ZlibCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionalTest extends BytesToBytesCodecContract {
    private static final ConditionalCodec CODEC =
            new ConditionalCodec(List.of(new ShuffleCodec(4), new ZlibCodec(6)), 16);

    @Override
    protected BytesToBytesCodec codec() {
        return CODEC;
    }

    private static byte[] encode(ConditionalCodec codec, byte[] content) {
        try (Scratch scratch = new Scratch()) {
            return codec.encode(Bytes.of(content), scratch).toArray();
        }
    }

    private static byte[] decode(ConditionalCodec codec, byte[] encoded, DecodedSize size) {
        try (Scratch scratch = new Scratch()) {
            return codec.decode(Bytes.of(encoded), size, scratch).toArray();
        }
    }

    @Test
    void compressor_isAppliedToTheChunksThatItShrinks() {
        byte[] smooth = encode(CODEC, SampleBytes.make(SampleBytes.Kind.SMOOTH, 4096));
        assertEquals(0b11, smooth[0]);
        assertEquals(0, smooth[1]);
        byte[] noise = encode(CODEC, SampleBytes.make(SampleBytes.Kind.NOISE, 4096));
        assertEquals(0b01, noise[0], "the shuffle alone");
        assertEquals(4098, noise.length);
        assertEquals(4098, CODEC.reservedSize(4096).orElseThrow());
        assertTrue(smooth.length < 4098);
    }

    /** Bit 0 belongs to the first codec; chunks of other writers may have any bits. */
    @Test
    void bits_sayWhichCodecsToUndo() {
        byte[] content = SampleBytes.make(SampleBytes.Kind.SMOOTH, 1000);
        DecodedSize size = DecodedSize.exactly(1000);
        ConditionalCodec only = new ConditionalCodec(List.of(new ZlibCodec(6)), 8);
        byte[] zlib = encode(only, content);
        byte[] both = new byte[zlib.length + 1];
        System.arraycopy(zlib, 1, both, 2, zlib.length - 1);
        both[0] = 0b10;
        assertArrayEquals(content, decode(CODEC, both, size));
        byte[] none = new byte[1002];
        System.arraycopy(content, 0, none, 2, 1000);
        assertArrayEquals(content, decode(CODEC, none, size));
    }

    @Test
    void damagedHeaders_areRefused() {
        DecodedSize size = DecodedSize.exactly(10);
        refused(CODEC, new byte[] {1}, size, "expected a header of 2 bytes, found 1 bytes");
        refused(CODEC, new byte[12 + 1], size, "expected exactly 10 bytes");
        byte[] reserved = new byte[12];
        reserved[1] = 2;
        refused(CODEC, reserved, size, "found bit 9 set");
    }

    /** Twenty compressors, each of which could expand a thousandfold, stay within the declared chunk. */
    @Test
    void nestedBomb_isRefused() {
        ConditionalCodec deep = new ConditionalCodec(Collections.nCopies(24, new GzipCodec(9)), 24);
        byte[] bomb = new byte[32 << 20];
        byte[] once;
        try (Scratch scratch = new Scratch()) {
            once = new GzipCodec(9).encode(Bytes.of(bomb), scratch).toArray();
        }
        byte[] chunk = new byte[once.length + 3];
        System.arraycopy(once, 0, chunk, 3, once.length);
        chunk[2] = (byte) 0x80;
        chunk[0] = 1;
        refused(deep, chunk, DecodedSize.exactly(1000), "gzip");
        assertTrue(deep.maxEncodedSize(1 << 30) > 0, "no overflow");
    }

    /** The length of the list does not raise the limit by much. */
    @Test
    void bombBehindManyCodecs_isRefused() {
        int count = 4000;
        ConditionalCodec many = new ConditionalCodec(Collections.nCopies(count, new GzipCodec(9)), count);
        byte[] once;
        try (Scratch scratch = new Scratch()) {
            once = new GzipCodec(9)
                    .encode(Bytes.of(new byte[32 << 20]), scratch)
                    .toArray();
        }
        byte[] chunk = new byte[count / Byte.SIZE + once.length];
        System.arraycopy(once, 0, chunk, count / Byte.SIZE, once.length);
        chunk[0] = -1;
        chunk[1] = -1; // sixteen codecs could double the size each
        chunk[count / Byte.SIZE - 1] = (byte) 0x80;
        refused(many, chunk, DecodedSize.exactly(1000), "expected at most");
    }

    private static void refused(ConditionalCodec codec, byte[] bad, DecodedSize size, String saying) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(codec, bad, size));
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }
}
