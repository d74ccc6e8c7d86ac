package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BloscRoundTripTest {
    private static final int[] TYPESIZES = {1, 2, 3, 4, 8, 16, 17, 255, 256, 1000};
    private static final int[] BLOCKSIZES = {0, 0, 0, 1, 200, 4096, 1 << 30};

    @ParameterizedTest
    @EnumSource(value = BloscCompressor.class, mode = EnumSource.Mode.EXCLUDE, names = "BLOSCLZ")
    void anything_returns(BloscCompressor cname) {
        Random random = new Random(20221102 + cname.ordinal());
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < 300; i++) {
                Shuffle shuffle = Shuffle.values()[random.nextInt(3)];
                int typesize = TYPESIZES[random.nextInt(TYPESIZES.length)];
                BloscCodec codec = Frames.codec(
                        cname, random.nextInt(10), shuffle, typesize, BLOCKSIZES[random.nextInt(BLOCKSIZES.length)]);
                byte[] data = data(random, i < 20 ? i * 9 : random.nextInt(i % 30 == 0 ? 400_000 : 5_000));
                byte[] frame = codec.encode(Bytes.of(data), scratch).toArray();
                String what = codec.configuration() + ", " + data.length + " bytes";
                assertTrue(frame.length <= data.length + BloscHeader.SIZE, what);
                int mark = scratch.mark();
                byte[] back = codec.decode(Bytes.of(frame), DecodedSize.exactly(data.length), scratch)
                        .toArray();
                scratch.reset(mark);
                assertArrayEquals(data, back, what);
            }
        }
    }

    /** Runs, noise in few bits, and plain noise. */
    private static byte[] data(Random random, int size) {
        byte[] data = new byte[size];
        int mode = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            data[i] = (byte)
                    switch (mode) {
                        case 0 -> random.nextInt();
                        case 1 -> (i & 1) == 0 ? random.nextInt(16) : i >> 8;
                        case 2 -> i / 100 % 3;
                        default -> 0;
                    };
        }
        return data;
    }

    @Test
    void piecesAndDirectBuffers_encodeAndDecode() {
        byte[] data = data(new Random(7), 3000);
        ByteBuffer direct = ByteBuffer.allocateDirect(3000).put(data).flip();
        Bytes pieces = Bytes.concat(List.of(Bytes.of(data, 0, 700), Bytes.of(direct.slice(700, 2300))));
        BloscCodec codec = Frames.codec(BloscCompressor.LZ4, 5, Shuffle.SHUFFLE, 2, 0);
        try (Scratch scratch = new Scratch()) {
            byte[] frame = codec.encode(Bytes.of(data), scratch).toArray();
            assertArrayEquals(frame, codec.encode(Bytes.of(direct), scratch).toArray());
            assertArrayEquals(frame, codec.encode(pieces, scratch).toArray());
            byte[] shifted = new byte[frame.length + 10];
            System.arraycopy(frame, 0, shifted, 10, frame.length);
            ByteBuffer directFrame =
                    ByteBuffer.allocateDirect(frame.length).put(frame).flip();
            for (Bytes in : List.of(
                    Bytes.of(shifted, 10, frame.length),
                    Bytes.of(directFrame),
                    Bytes.concat(List.of(Bytes.of(frame, 0, 9), Bytes.of(frame, 9, frame.length - 9))))) {
                assertArrayEquals(
                        data,
                        codec.decode(in, DecodedSize.exactly(3000), scratch).toArray());
            }
        }
    }

    @Test
    void levelZeroAndNoise_areStored() {
        byte[] noise = new byte[1000];
        new Random(3).nextBytes(noise);
        byte[] zeros = new byte[1000];
        try (Scratch scratch = new Scratch()) {
            byte[] stored = Frames.codec(BloscCompressor.ZSTD, 0, Shuffle.SHUFFLE, 4, 0)
                    .encode(Bytes.of(zeros), scratch)
                    .toArray();
            assertEquals(1016, stored.length);
            assertEquals(
                    1016,
                    Frames.codec(BloscCompressor.LZ4, 5, Shuffle.SHUFFLE, 4, 0)
                            .encode(Bytes.of(noise), scratch)
                            .size());
            assertTrue(Frames.codec(BloscCompressor.LZ4, 5, Shuffle.SHUFFLE, 4, 0)
                            .encode(Bytes.of(zeros), scratch)
                            .size()
                    < 100);
            assertArrayEquals(zeros, Frames.decode(stored, DecodedSize.exactly(1000)));
        }
    }

    @Test
    void header_saysWhatWasAskedFor() {
        byte[] data = new byte[10_000];
        try (Scratch scratch = new Scratch()) {
            byte[] frame = Frames.codec(BloscCompressor.LZ4HC, 5, Shuffle.SHUFFLE, 4, 4099)
                    .encode(Bytes.of(data), scratch)
                    .toArray();
            BloscHeader header = BloscHeader.parse(frame, 0, frame.length);
            assertEquals(
                    new BloscHeader(CompressedFormat.LZ4, Shuffle.SHUFFLE, false, true, 4, 10_000, 4096, frame.length),
                    header);
            frame = Frames.codec(BloscCompressor.SNAPPY, 5, Shuffle.BITSHUFFLE, 3, 0)
                    .encode(Bytes.of(data), scratch)
                    .toArray();
            header = BloscHeader.parse(frame, 0, frame.length);
            assertEquals(
                    new BloscHeader(
                            CompressedFormat.SNAPPY, Shuffle.BITSHUFFLE, false, false, 3, 10_000, 9984, frame.length),
                    header);
        }
    }

    @Test
    void blosclz_isNotWritten() {
        BloscCodec codec = Frames.codec(BloscCompressor.BLOSCLZ, 5, Shuffle.SHUFFLE, 4, 0);
        try (Scratch scratch = new Scratch()) {
            Exception e =
                    assertThrows(UnsupportedException.class, () -> codec.encode(Bytes.of(new byte[100]), scratch));
            assertTrue(e.getMessage().contains("lz4, lz4hc, zstd, zlib and snappy"), e.getMessage());
        }
    }
}
