package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of frames, decoded as far as they need it, beside the whole. */
class ZstdPartTest {
    private static final int DESCRIPTOR = 4;
    private static final int CHECKSUM = 4;

    private final Random random = new Random(21);
    private final Scratch scratch = new Scratch();

    private static byte[] whole(byte[] frame, int size) {
        try (Scratch scratch = new Scratch()) {
            return ZstdDecoder.read(new HeapBytes(frame, 0, frame.length), DecodedSize.exactly(size), scratch)
                    .toArray();
        }
    }

    private byte[] part(byte[] frame, int size, int from, int to) {
        scratch.reset(0);
        byte[] poisoned = scratch.borrow(size + 1);
        Arrays.fill(poisoned, (byte) 0xa5);
        scratch.reset(0);
        return ZstdDecoder.readPart(
                        new HeapBytes(frame, 0, frame.length),
                        new DecodedSize.Exact(size),
                        new ByteRange.Slice(from, to - from),
                        scratch)
                .toArray();
    }

    /** The same frame without its checksum: only such a one need not be decoded whole. One frame, no skippable one. */
    private static byte[] unchecked(byte[] frame) {
        if ((frame[DESCRIPTOR] & 4) == 0) {
            return frame;
        }
        byte[] without = Arrays.copyOf(frame, frame.length - CHECKSUM);
        without[DESCRIPTOR] &= ~4;
        return without;
    }

    private static List<ZstdCorpusTest.Row> singleFrames() {
        return ZstdCorpusTest.rows().stream()
                .filter(r -> r.size() > 0
                        && ZstdFrameParser.of(new HeapBytes(r.frame(), 0, r.frame().length), ZstdDictionary.NONE)
                                        .size()
                                == 1
                        && r.frame()[0] == 0x28)
                .toList();
    }

    @Test
    void everyRow_anyPart_isThatOfTheWhole() {
        List<ZstdCorpusTest.Row> rows = singleFrames();
        assertTrue(rows.size() > 80, "rows: " + rows.size());
        for (ZstdCorpusTest.Row row : rows) {
            int size = row.size();
            byte[] frame = unchecked(row.frame());
            byte[] expected = whole(frame, size);
            for (int i = 0; i < 25; i++) {
                int to = i == 0 ? size : 1 + random.nextInt(i < 12 ? size : Math.min(size, 40));
                int from = i % 2 == 0 ? 0 : random.nextInt(to + 1);
                assertArrayEquals(
                        Arrays.copyOfRange(expected, from, to),
                        part(frame, size, from, to),
                        () -> from + " to " + to + " of " + size);
                assertArrayEquals(Arrays.copyOfRange(expected, from, to), part(row.frame(), size, from, to));
            }
        }
    }

    @Test
    void prefixInsideAnotherArray_touchesNothingElse() {
        ZstdDecoder decoder = new ZstdDecoder();
        for (ZstdCorpusTest.Row row : singleFrames()) {
            byte[] frame = unchecked(row.frame());
            byte[] expected = whole(frame, row.size());
            byte[] out = new byte[row.size() + 7];
            Arrays.fill(out, (byte) 0x5a);
            int wanted = 1 + random.nextInt(row.size());
            decoder.expand(new HeapBytes(frame, 0, frame.length), out, 3, row.size(), wanted);
            assertArrayEquals(Arrays.copyOf(expected, wanted), Arrays.copyOfRange(out, 3, 3 + wanted));
            for (int i : new int[] {0, 1, 2, row.size() + 3, row.size() + 6}) {
                assertEquals(0x5a, out[i], "outside of " + row.size() + " bytes, at " + i);
            }
        }
    }

    /** Several frames: a part of the second, and of both. */
    @Test
    void partsOverFrames_areThoseOfTheWhole() {
        ZstdCorpusTest.Row first = singleFrames().get(3);
        ZstdCorpusTest.Row second = singleFrames().get(20);
        byte[] a = unchecked(first.frame());
        byte[] b = unchecked(second.frame());
        byte[] both = joined(a, b);
        int size = first.size() + second.size();
        byte[] expected = whole(both, size);
        for (int i = 0; i < 50; i++) {
            int to = 1 + random.nextInt(size);
            int from = random.nextInt(to);
            assertArrayEquals(Arrays.copyOfRange(expected, from, to), part(both, size, from, to));
        }
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static boolean isWalked(byte[] frames) {
        try {
            return !ZstdFrameParser.of(new HeapBytes(frames, 0, frames.length), ZstdDictionary.NONE)
                    .isEmpty();
        } catch (CorruptDataException e) {
            return false;
        }
    }

    /** What lies behind a part may be damaged, unless there is a checksum: then all of it is looked at. */
    @Test
    void damageBehindThePart_isSeenOnlyWithAChecksum() {
        ZstdCorpusTest.Row first = singleFrames().get(3);
        byte[] front = unchecked(first.frame());
        byte[] expected = whole(front, first.size());
        int seen = 0;
        for (ZstdCorpusTest.Row row : singleFrames()) {
            if ((row.frame()[DESCRIPTOR] & 4) == 0) {
                continue;
            }
            int size = first.size() + row.size();
            byte[] wrong = joined(front, row.frame());
            wrong[wrong.length - 1] ^= 1;
            assertThrows(ChecksumException.class, () -> part(wrong, size, 0, 10));
            byte[] bad = joined(front, row.frame());
            bad[bad.length - CHECKSUM - 1] ^= 0x10; // in the last block
            assertThrows(CorruptDataException.class, () -> part(bad, size, 0, 10));
            byte[] badUnchecked = joined(front, unchecked(Arrays.copyOfRange(bad, front.length, bad.length)));
            if (!isWalked(badUnchecked)) {
                continue; // it was the header of a block
            }
            assertArrayEquals(expected, assertDoesNotThrow(() -> part(badUnchecked, size, 0, expected.length)));
            seen++;
        }
        assertTrue(seen > 10, "frames with a checksum: " + seen);
    }

    @Test
    void mutatedFrames_areReadOrRefused() {
        List<ZstdCorpusTest.Row> rows =
                singleFrames().stream().filter(r -> r.frame().length < 4_500).toList();
        int refused = 0;
        int rounds = 20_000;
        for (int i = 0; i < rounds; i++) {
            ZstdCorpusTest.Row row = rows.get(random.nextInt(rows.size()));
            byte[] bad = unchecked(row.frame()).clone();
            for (int n = random.nextInt(3); n >= 0; n--) {
                int at = random.nextBoolean() ? random.nextInt(bad.length) : random.nextInt(Math.min(bad.length, 40));
                bad[at] = random.nextBoolean() ? (byte) random.nextInt(256) : (byte) (bad[at] ^ 1 << random.nextInt(8));
            }
            int to = 1 + random.nextInt(row.size());
            int from = random.nextInt(to);
            try {
                assertEquals(to - from, part(bad, row.size(), from, to).length);
            } catch (CorruptDataException e) {
                assertNull(e.getCause(), () -> "found by an index out of bounds only: " + e);
                refused++;
            } catch (UnsupportedException e) {
                refused++;
            }
        }
        assertTrue(refused > rounds / 10 && refused < rounds, "refused " + refused);
    }
}
