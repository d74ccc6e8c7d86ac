package dev.shardkit.codec.zstd.encoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shardkit.codec.zstd.decoder.ZstdBlockDecoder;
import dev.shardkit.codec.zstd.decoder.ZstdDecoder;
import dev.shardkit.codec.zstd.decoder.ZstdDictionary;
import dev.shardkit.codec.zstd.decoder.ZstdFuzzTest;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.FixtureContent;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.internal.UnsafeAccess;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the encoder writes is read by its own decoder and by the peer, at all levels. */
class ZstdEncoderTest {
    private static final int[] SIZES = {
        0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 100, 255, 256, 257, 1000, 1023, 1024, 4096, 16_383, 16_384, 65_535, 65_536,
        65_792, 131_073, 300_000
    };
    /** The largest size at high levels. */
    private static final int LARGE = Rounds.areMany() ? 70_000 : 20_000;
    /** What a frame may have beside stored blocks of its content. */
    private static final int HEADERS = 14;

    private final ZstdDecoder decoder = new ZstdDecoder();

    /** The frame of {@code bytes}, which lie between other bytes; nothing outside of its room may be touched. */
    static byte[] encode(ZstdEncoder encoder, byte[] bytes, Trailer trailer, byte around) {
        byte[] in = new byte[bytes.length + 40];
        Arrays.fill(in, around);
        System.arraycopy(bytes, 0, in, 17, bytes.length);
        byte[] out = new byte[(int) ZstdEncoder.maxEncodedSize(bytes.length) + 10];
        Arrays.fill(out, (byte) 0x5a);
        int n = encoder.encode(new HeapBytes(in, 17, 17 + bytes.length), trailer, out, 5);
        for (int i = 0; i < 5; i++) {
            assertEquals(0x5a, out[i], "in front of the room");
            assertEquals(0x5a, out[out.length - 1 - i], "behind the room");
        }
        return Arrays.copyOfRange(out, 5, 5 + n);
    }

    private byte[] check(ZstdEncoder encoder, byte[] bytes, Trailer trailer, String what) {
        byte[] frame = encode(encoder, bytes, trailer, (byte) 0);
        assertArrayEquals(
                frame, encode(encoder, bytes, trailer, (byte) 0xAA), () -> what + ": more than the bytes shows");
        int blocks = Math.max(1, (bytes.length + ZstdFrame.LARGEST_BLOCK - 1) / ZstdFrame.LARGEST_BLOCK);
        assertTrue(frame.length <= bytes.length + HEADERS + 3 * blocks, () -> what + ": longer than stored");
        byte[] out = new byte[bytes.length];
        decoder.expand(new HeapBytes(frame, 0, frame.length), out, 0, out.length);
        assertArrayEquals(bytes, out, what);
        if (UnsafeAccess.ofThisJvm() != UnsafeAccess.DENIED) {
            Arrays.fill(out, (byte) 0x77);
            assertEquals(
                    out.length, new ZstdDecompressor().decompress(frame, 0, frame.length, out, 0, out.length), what);
            assertArrayEquals(bytes, out, () -> what + ", read by the peer");
        }
        return frame;
    }

    @ParameterizedTest
    @ValueSource(ints = {-131072, -5, 0, 1, 2, 4, 5, 7, 9, 22})
    void allKindsAndSizes_areReadAsTheyWere(int level) {
        ZstdEncoder kept = ZstdEncoder.ofLevel(level);
        for (ZstdSamples kind : ZstdSamples.values()) {
            for (int size : SIZES) {
                if (level > 5 && size > LARGE) {
                    continue; // slow, and the same but for the finder
                }
                byte[] bytes = kind.make(size);
                Trailer trailer = size % 2 == 0 ? Trailer.CHECKSUM : Trailer.NOTHING;
                byte[] frame = check(kept, bytes, trailer, kind + " of " + size);
                if (size < 5000) {
                    assertArrayEquals(
                            frame,
                            encode(ZstdEncoder.ofLevel(level), bytes, trailer, (byte) 1),
                            () -> kind + " of " + size + ": what came before shows");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 1, 3, 4, 6, 8, 12})
    void randomParts_areReadAsTheyWere(int level) {
        ZstdEncoder kept = ZstdEncoder.ofLevel(level);
        Random random = new Random(level);
        for (int i = 0; i < Rounds.of(10); i++) {
            check(kept, ZstdFuzzTest.content(random), Trailer.CHECKSUM, "round " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void contentBeyondTheWindow_isReadAsItWas(int level) {
        byte[] bytes = new byte[5 << 20];
        byte[] noise = ZstdSamples.NOISE.make(300_000);
        for (int at : new int[] {0, 400_000, 1_000_000, 3_400_000, 4_900_000}) {
            System.arraycopy(noise, 0, bytes, at, noise.length);
        }
        byte[] frame = check(ZstdEncoder.ofLevel(level), bytes, Trailer.CHECKSUM, "5 MiB");
        assertTrue(frame.length > noise.length && frame.length < 4.1 * noise.length, frame.length + " bytes");
    }

    @Test
    void numbersOfPositions_startAgainBeforeTheyOverflow() {
        PositionTable positions = new PositionTable();
        int first = positions.open(8, 1 << 30);
        positions.entries()[7] = first + 5;
        assertTrue(positions.open(8, (1 << 30) - 2) > first + 5);
        assertEquals(1, positions.open(8, 100));
        assertEquals(0, positions.entries()[7]);
        assertTrue(positions.open(12, 100) > 0);
    }

    @Test
    void whatRepeats_getsShorter_andTheMoreTheHigherTheLevel() {
        byte[] text = FixtureContent.of(100_000);
        byte[] smooth = ZstdSamples.SMOOTH16.make(65_536);
        int before = Integer.MAX_VALUE;
        for (int level : new int[] {1, 3, 12}) {
            int n = check(ZstdEncoder.ofLevel(level), text, Trailer.NOTHING, "text").length;
            assertTrue(n < before, n + " bytes at level " + level);
            before = n;
            int m = check(ZstdEncoder.ofLevel(level), smooth, Trailer.NOTHING, "numbers").length;
            assertTrue(m < 50_000, m + " bytes at level " + level);
        }
        assertTrue(check(ZstdEncoder.ofLevel(1), new byte[1 << 20], Trailer.CHECKSUM, "zeros").length < 60);
    }

    /** Level 3 looks for matches of such numbers at every second position; which one does not depend on the array. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void noisyNumbersOfTwoBytes_areReadAsTheyWere(int upper) {
        Random random = new Random(upper);
        byte[] bytes = new byte[200_000];
        for (int i = 0; i < bytes.length; i += 2) {
            int value = (int) (1200 + 600 * Math.sin(i / 2000.0)) + random.nextInt(16);
            bytes[i + upper] = (byte) (value >> 8);
            bytes[i + 1 - upper] = (byte) value;
        }
        for (int size : new int[] {65_535, 65_536, bytes.length}) {
            byte[] part = Arrays.copyOf(bytes, size);
            ZstdEncoder encoder = ZstdEncoder.ofLevel(3);
            byte[] frame = check(encoder, part, Trailer.NOTHING, size + " bytes");
            assertTrue(frame.length < 0.7 * size, frame.length + " bytes");
            byte[] out = new byte[(int) ZstdEncoder.maxEncodedSize(size)];
            int n = encoder.encode(new HeapBytes(part, 0, size), Trailer.NOTHING, out, 0);
            assertArrayEquals(frame, Arrays.copyOf(out, n), "at an even position, with nothing around");
        }
    }

    /** More sequences than two bytes count, with matches of three bytes, which no level looks for. */
    @Test
    void manySequences_areReadAsTheyWere() {
        Random random = new Random(3);
        byte[] bytes = new byte[ZstdFrame.LARGEST_BLOCK];
        for (int count : new int[] {1, 2, 127, 128, 0x7EFF, 0x7F00, 33_000}) {
            BlockSequences parts = new BlockSequences();
            parts.beginFrame();
            parts.beginBlock(bytes.length);
            random.nextBytes(bytes);
            int at = 0;
            for (int i = 0; i < count; i++) {
                int literals = i == 0 ? 40 : random.nextInt(8) / 7;
                int from = at;
                at += literals;
                int offset = random.nextInt(3) == 0 ? parts.lastOffset() : 1 + random.nextInt(Math.min(at, 1000));
                for (int k = 0; k < 3; k++, at++) {
                    bytes[at] = bytes[at - offset];
                }
                parts.add(bytes, from, literals, offset, 3);
            }
            parts.literals(bytes, at, 5);
            checkBlock(parts, bytes, at + 5);
        }
    }

    private static void checkBlock(BlockSequences parts, byte[] bytes, int size) {
        byte[] block = new byte[2 * ZstdFrame.LARGEST_BLOCK];
        int middle = new LiteralsWriter().write(parts.literals(), parts.literalCount(), block, 9, block.length / 2);
        int end = new SequencesWriter().write(parts, block, middle, block.length - 100);
        assertTrue(middle > 0 && end > middle, "room");
        assertEquals(-1, new SequencesWriter().write(parts, block.clone(), middle, end - 1));
        byte[] out = new byte[size + 100];
        ZstdBlockDecoder decoder = new ZstdBlockDecoder();
        decoder.reset(ZstdDictionary.NONE);
        assertEquals(size, decoder.decode(block, 9, end, out, 0, 0, size, out.length, Integer.MAX_VALUE));
        assertArrayEquals(Arrays.copyOf(bytes, size), Arrays.copyOf(out, size));
    }

    /** What a worker keeps is allocated once: an inner chunk costs its encoding and little beside it. */
    @Test
    void warmWorker_allocatesItsOutput() {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        byte[] bytes = ZstdSamples.SMOOTH16.make(65_536);
        long least = Long.MAX_VALUE;
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < 20; i++) {
                HeapBytes in = new HeapBytes(bytes, 0, bytes.length);
                long before = thread.getThreadAllocatedBytes(id);
                long size = ZstdEncoder.write(in, 3, Trailer.NOTHING, scratch).size();
                least = Math.min(least, thread.getThreadAllocatedBytes(id) - before - size);
                scratch.reset(0);
            }
        }
        assertTrue(least < 4096, least + " bytes beside the output");
    }

    @Test
    void encoderInTheScratch_isKeptByLevel() {
        byte[] bytes = FixtureContent.of(3000);
        try (Scratch scratch = new Scratch()) {
            for (int level : new int[] {1, 3, 1, 9, 3}) {
                HeapBytes in = new HeapBytes(bytes, 0, bytes.length);
                byte[] frame =
                        ZstdEncoder.write(in, level, Trailer.CHECKSUM, scratch).toArray();
                assertArrayEquals(
                        bytes,
                        ZstdDecoder.read(
                                        new HeapBytes(frame, 0, frame.length),
                                        DecodedSize.exactly(bytes.length),
                                        scratch)
                                .toArray());
                scratch.reset(0);
            }
        }
    }
}
