package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Parts of frames, decoded as far as they need it, beside the whole. */
class BloscPartTest {
    private final Random random = new Random(31);
    private final Scratch scratch = new Scratch();

    private byte[] part(byte[] frame, int size, int from, int to) {
        scratch.reset(0);
        for (int i = 0; i < 3; i++) {
            Arrays.fill(scratch.borrow(size), (byte) 0xa5);
        }
        scratch.reset(0);
        return Frames.reader()
                .decodePart(Bytes.of(frame), new DecodedSize.Exact(size), new ByteRange.Slice(from, to - from), scratch)
                .toArray();
    }

    private void anyPart(String what, byte[] frame, byte[] expected, int rounds) {
        int size = expected.length;
        for (int i = 0; i < rounds; i++) {
            int to = i == 0 ? size : random.nextInt(i % 3 == 0 ? Math.min(64, size + 1) : size + 1);
            int from = i % 2 == 0 ? 0 : random.nextInt(to + 1);
            assertArrayEquals(
                    Arrays.copyOfRange(expected, from, to),
                    part(frame, size, from, to),
                    () -> what + ": " + from + " to " + to + " of " + size);
        }
    }

    @Test
    void framesOfNumcodecs_anyPart_isThatOfTheWhole() {
        byte[] corpus = Frames.resource("corpus.bin");
        int at = 0;
        while (at < corpus.length) {
            int size = BloscHeader.int32(corpus, at + 4);
            int length = BloscHeader.int32(corpus, at + 12);
            byte[] frame = Arrays.copyOfRange(corpus, at, at + length);
            byte[] expected = Frames.decode(frame, DecodedSize.exactly(size));
            anyPart(BloscHeader.parse(frame, 0, length).toString(), frame, expected, 20);
            at += length;
        }
    }

    @Test
    void framesOfSeveralBlocks_anyPart_isThatOfTheWhole() {
        byte[] expected = Frames.resource("decoded-94080.bin");
        for (String name : new String[] {"multiblock_lz4_shuffle", "multiblock_zstd_bitshuffle"}) {
            anyPart(name, Frames.resource(name + ".blosc"), expected, 300);
        }
    }

    @Test
    void framesOfOurOwn_anyPart_isThatOfTheWhole() {
        for (BloscCompressor cname : new BloscCompressor[] {
            BloscCompressor.LZ4, BloscCompressor.ZSTD, BloscCompressor.ZLIB, BloscCompressor.SNAPPY
        }) {
            for (Shuffle shuffle : Shuffle.values()) {
                for (int typesize : new int[] {1, 2, 3, 4, 8, 16}) {
                    byte[] content = new byte[20_000 + random.nextInt(50)];
                    for (int i = 0; i < content.length; i++) {
                        content[i] = (byte) (i % typesize == 0 ? random.nextInt(16) : i >> 9);
                    }
                    int blocksize = random.nextBoolean() ? 0 : 1 << 8 + random.nextInt(5);
                    BloscCodec codec = Frames.codec(cname, 5, shuffle, typesize, blocksize);
                    byte[] frame = codec.encode(Bytes.of(content), scratch).toArray();
                    anyPart(cname + " " + shuffle + " " + typesize + " " + blocksize, frame, content, 40);
                }
            }
        }
    }

    /** Blocks that no wanted byte lies in are not expanded, but must lie where they can. */
    @Test
    void damageInOtherBlocks_isNotSeen() {
        byte[] expected = Frames.resource("decoded-94080.bin");
        byte[] frame = Frames.resource("multiblock_lz4_shuffle.blosc");
        BloscHeader header = BloscHeader.parse(frame, 0, frame.length);
        int second = BloscHeader.int32(frame, 16 + 4);
        Arrays.fill(frame, second + 4, second + 24, (byte) 0xff);
        assertThrows(CorruptDataException.class, () -> Frames.decode(frame, DecodedSize.exactly(expected.length)));
        assertThrows(CorruptDataException.class, () -> part(frame, expected.length, 0, header.blocksize() + 100));
        assertArrayEquals(
                Arrays.copyOf(expected, header.blocksize()), part(frame, expected.length, 0, header.blocksize()));
        BloscHeader.int32(frame, 16 + 4, frame.length);
        assertThrows(CorruptDataException.class, () -> part(frame, expected.length, 0, 10));
    }

    @ParameterizedTest
    @FieldSource("dev.shardkit.codec.blosc.Frames#SMALL")
    void flips_areCorruptOrOfTheRightSize(String name) {
        byte[] frame = Frames.resource(name + ".blosc");
        int refused = 0;
        for (int i = 0; i < 600; i++) {
            byte[] bad = frame.clone();
            int first = i % 2 == 0 ? 0 : Math.min(16, frame.length - 1);
            for (int flips = i % 3; flips >= 0; flips--) {
                bad[first + random.nextInt(frame.length - first)] ^= (byte) (1 << random.nextInt(8));
            }
            int to = 1 + random.nextInt(1536);
            int from = random.nextInt(to);
            try {
                assertEquals(to - from, part(bad, 1536, from, to).length);
            } catch (CorruptDataException e) {
                refused++;
            } catch (UnsupportedException e) {
                assertTrue(bad[0] != 2, "only another version is unsupported: " + e);
            }
        }
        assertTrue(refused > 0, refused + " refused");
    }
}
