package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.testkit.internal.FixtureContent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames that zstd wrote with trained dictionaries and with plain content as a dictionary (tools/make_frames.py). */
class ZstdDictionaryTest {
    private static final int MUTATIONS = 20_000;
    private static final int TRAINED = 4;
    private static final int AROUND = 5;

    private final ZstdDecoder decoder = new ZstdDecoder();
    private int refused;

    private record Case(byte[] dictionary, List<ZstdCorpusTest.Row> rows) {}

    private static List<Case> cases() {
        ByteBuffer all = ByteBuffer.wrap(FixtureContent.stream(ZstdDictionaryTest.class, "dictionaries.bin"))
                .order(ByteOrder.LITTLE_ENDIAN);
        List<Case> cases = new ArrayList<>();
        while (all.hasRemaining()) {
            byte[] dictionary = new byte[all.getInt()];
            int count = all.getInt();
            all.get(dictionary);
            List<ZstdCorpusTest.Row> rows = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                rows.add(ZstdCorpusTest.Row.next(all));
            }
            cases.add(new Case(dictionary, rows));
        }
        return cases;
    }

    /** Decodes after the dictionary, between bytes that must stay. */
    private byte[] decode(byte[] dictionary, byte[] frame, int size) {
        ZstdDictionary read = ZstdDictionary.of(new HeapBytes(dictionary, 0, dictionary.length));
        byte[] before = new byte[read.contentSize()];
        read.copyContent(before, 0);
        byte[] out = new byte[AROUND + before.length + size + AROUND];
        Arrays.fill(out, (byte) 0x5a);
        System.arraycopy(before, 0, out, AROUND, before.length);
        byte[] untouched = out.clone();
        int at = AROUND + before.length;
        try {
            decoder.expand(new HeapBytes(frame, 0, frame.length), read, out, at, size);
        } finally {
            assertEquals(-1, Arrays.mismatch(Arrays.copyOf(untouched, at), Arrays.copyOf(out, at)));
            assertEquals(
                    -1,
                    Arrays.mismatch(
                            new byte[] {0x5a, 0x5a, 0x5a, 0x5a, 0x5a}, Arrays.copyOfRange(out, at + size, out.length)));
        }
        return Arrays.copyOfRange(out, at, at + size);
    }

    @Test
    void everyFrame_decodesToItsHash() {
        List<Case> cases = cases();
        assertEquals(6, cases.size());
        for (Case c : cases) {
            for (ZstdCorpusTest.Row row : c.rows) {
                assertArrayEquals(row.hash(), ZstdCorpusTest.sha256(decode(c.dictionary, row.frame(), row.size())));
            }
        }
    }

    @Test
    void frameOfAnotherDictionary_isRefused() {
        List<Case> cases = cases();
        ZstdCorpusTest.Row row = named(cases.get(3));
        CorruptDataException e = assertThrows(
                CorruptDataException.class, () -> decode(cases.get(0).dictionary, row.frame(), row.size()));
        assertTrue(e.getMessage().contains("found one of 77"), e.getMessage());
        byte[] out = new byte[row.size()];
        UnsupportedException none = assertThrows(
                UnsupportedException.class,
                () -> decoder.expand(new HeapBytes(row.frame(), 0, row.frame().length), out, 0, out.length));
        assertTrue(none.getMessage().contains("dictionary 77"), none.getMessage());
    }

    /** Returns a frame that names its dictionary, in one byte after the window. */
    private static ZstdCorpusTest.Row named(Case of) {
        return of.rows.stream()
                .filter(row -> (row.frame()[4] & 3) == 1)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void twoFrames_areRefused() {
        Case c = cases().get(0);
        ZstdCorpusTest.Row row = c.rows.get(0);
        byte[] twice = Arrays.copyOf(row.frame(), 2 * row.frame().length);
        System.arraycopy(row.frame(), 0, twice, row.frame().length, row.frame().length);
        CorruptDataException e =
                assertThrows(CorruptDataException.class, () -> decode(c.dictionary, twice, 2 * row.size()));
        assertTrue(e.getMessage().contains("one frame"), e.getMessage());
    }

    /** A state that a dictionary leaves does not reach the next frame, which has none. */
    @Test
    void framesAfterOneWithADictionary_beginAnew() {
        for (Case c : cases()) {
            for (ZstdCorpusTest.Row row : ZstdCorpusTest.rows().subList(0, 20)) {
                decode(c.dictionary, c.rows.get(0).frame(), c.rows.get(0).size());
                byte[] out = new byte[row.size()];
                decoder.expand(new HeapBytes(row.frame(), 0, row.frame().length), out, 0, out.length);
                assertArrayEquals(row.hash(), ZstdCorpusTest.sha256(out));
            }
        }
    }

    @Test
    void truncatedDictionary_isRefused_whereItsTablesEnd() {
        byte[] whole = cases().get(0).dictionary;
        int content = ZstdDictionary.of(new HeapBytes(whole, 0, whole.length)).contentSize();
        for (int n = 8; n < whole.length - content; n++) {
            byte[] cut = Arrays.copyOf(whole, n);
            CorruptDataException e = assertThrows(
                    CorruptDataException.class, () -> ZstdDictionary.of(new HeapBytes(cut, 0, cut.length)));
            assertTrue(e.getMessage().startsWith("zstd dictionary: at byte "), e.getMessage());
        }
    }

    @Test
    void damagedDictionariesAndFrames_areReadOrRefused() {
        List<Case> cases = cases();
        Random random = new Random(31);
        for (int i = 0; i < MUTATIONS; i++) {
            Case c = cases.get(random.nextInt(i % 4 == 0 ? cases.size() : TRAINED));
            ZstdCorpusTest.Row row = c.rows.get(random.nextInt(c.rows.size()));
            byte[] dictionary = i % 3 > 0 ? ZstdFuzzTest.mutated(c.dictionary, random) : c.dictionary;
            byte[] frame = i % 3 < 2 ? ZstdFuzzTest.mutated(row.frame(), random) : row.frame();
            try {
                decode(dictionary, frame, row.size());
            } catch (CorruptDataException e) {
                assertFalse(e.getCause() instanceof IndexOutOfBoundsException, () -> "found by an index only: " + e);
                refused++;
            } catch (UnsupportedException e) {
                refused++;
            }
        }
        assertTrue(refused > MUTATIONS / 4 && refused < MUTATIONS, "refused " + refused);
    }
}
