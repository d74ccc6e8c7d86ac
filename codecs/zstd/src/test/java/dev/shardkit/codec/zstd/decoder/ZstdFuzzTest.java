package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.internal.UnsafeAccess;
import io.airlift.compress.zstd.ZstdCompressor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged frames and random content: the same bytes or a declared error, and nothing behind the output touched. */
public class ZstdFuzzTest {
    private static final int MUTATIONS = Rounds.of(2500);

    /** What the mutated frames came to. */
    private int refused;

    @Test
    void mutatedFrames_areReadOrRefused() {
        List<ZstdCorpusTest.Row> rows = ZstdCorpusTest.rows().stream()
                .filter(r -> r.frame().length < 4_500)
                .toList();
        Random random = new Random(4);
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < MUTATIONS; i++) {
                ZstdCorpusTest.Row row = rows.get(random.nextInt(rows.size()));
                byte[] bad = mutated(row.frame(), random);
                DecodedSize size = random.nextBoolean() ? DecodedSize.exactly(row.size()) : DecodedSize.atMost(1 << 20);
                tryOne(bad, size, scratch);
                scratch.reset(0);
            }
        }
        assertTrue(refused > MUTATIONS / 2, "refused " + refused);
        assertTrue(refused < MUTATIONS, "all were refused");
    }

    private void tryOne(byte[] bad, DecodedSize size, Scratch scratch) {
        try {
            long n = ZstdDecoder.read(new HeapBytes(bad, 0, bad.length), size, scratch)
                    .size();
            assertTrue(size.isExact() ? n == size.maxBytes() : n <= size.maxBytes(), n + " bytes, expected " + size);
        } catch (CorruptDataException e) {
            assertNull(e.getCause(), () -> "found by an index out of bounds only: " + e);
            refused++;
        } catch (UnsupportedException e) {
            refused++;
        }
    }

    static byte[] mutated(byte[] frame, Random random) {
        byte[] bad = frame.clone();
        for (int n = random.nextInt(3); n >= 0; n--) {
            int at = random.nextBoolean() ? random.nextInt(bad.length) : random.nextInt(Math.min(bad.length, 40));
            switch (random.nextInt(4)) {
                case 0 -> bad[at] = (byte) random.nextInt(256);
                case 1 -> bad[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> {
                    int length = Math.min(1 + random.nextInt(8), bad.length - at);
                    System.arraycopy(bad, random.nextInt(bad.length - length + 1), bad, at, length);
                }
                default -> bad = Arrays.copyOf(bad, Math.max(1, bad.length - random.nextInt(3)));
            }
        }
        return bad;
    }

    /**
     * A frame of one block that is nothing but noise behind its header: mutations seldom get that far from the good.
     */
    @Test
    void noiseInBlocks_isReadOrRefused() {
        Random random = new Random(5);
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < MUTATIONS; i++) {
                byte[] bad = new byte[9 + 2 + random.nextInt(120)];
                random.nextBytes(bad);
                int size = bad.length - 9;
                System.arraycopy(
                        new byte[] {
                            0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0x50, (byte) (size << 3 | 5), (byte) (size >> 5), 0
                        },
                        0,
                        bad,
                        0,
                        9);
                tryOne(bad, DecodedSize.atMost(1 << 18), scratch);
                scratch.reset(0);
            }
        }
        assertTrue(refused > 0, "none was refused");
    }

    @Test
    void whatTheEncoderWrites_isReadAsItWas() {
        assumeTrue(UnsafeAccess.ofThisJvm() != UnsafeAccess.DENIED, "the encoder needs it");
        Random random = new Random(6);
        ZstdDecoder decoder = new ZstdDecoder();
        for (int i = 0; i < Rounds.of(25); i++) {
            byte[] content = content(random);
            byte[] frame = new byte[new ZstdCompressor().maxCompressedLength(content.length)];
            int n = new ZstdCompressor().compress(content, 0, content.length, frame, 0, frame.length);
            byte[] decoded = new byte[content.length];
            decoder.expand(new HeapBytes(frame, 0, n), decoded, 0, decoded.length);
            assertArrayEquals(content, decoded, "round " + i);
        }
    }

    public static byte[] content(Random random) {
        byte[] content = new byte[random.nextInt(1 << random.nextInt(18))];
        int values = 1 + random.nextInt(256);
        int at = 0;
        while (at < content.length) {
            int n = Math.min(content.length - at, 1 + random.nextInt(1 << random.nextInt(10)));
            if (at > 0 && random.nextInt(3) > 0) {
                int offset = 1 + random.nextInt(random.nextBoolean() ? at : Math.min(at, 12));
                for (int i = 0; i < n; i++) {
                    content[at + i] = content[at + i - offset];
                }
            } else {
                for (int i = 0; i < n; i++) {
                    content[at + i] = (byte) random.nextInt(values);
                }
            }
            at += n;
        }
        return content;
    }
}
