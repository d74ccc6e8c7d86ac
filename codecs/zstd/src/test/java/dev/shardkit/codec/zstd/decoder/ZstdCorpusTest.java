package dev.shardkit.codec.zstd.decoder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.FixtureContent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames that zstd itself wrote at all its levels (tools/make_frames.py), each with the hash of what it holds. */
class ZstdCorpusTest {
    /** One of them. */
    record Row(byte[] frame, int size, byte[] hash) {
        static Row next(ByteBuffer all) {
            byte[] frame = new byte[all.getInt()];
            int size = all.getInt();
            byte[] hash = new byte[32];
            all.get(hash).get(frame);
            return new Row(frame, size, hash);
        }
    }

    static List<Row> rows() {
        ByteBuffer all = ByteBuffer.wrap(FixtureContent.stream(ZstdCorpusTest.class, "corpus.bin"))
                .order(ByteOrder.LITTLE_ENDIAN);
        List<Row> rows = new ArrayList<>();
        while (all.hasRemaining()) {
            rows.add(Row.next(all));
        }
        return rows;
    }

    static byte[] sha256(byte[] of) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(of);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyRow_decodesToItsHash() {
        List<Row> rows = rows();
        assertTrue(rows.size() > 90, "rows: " + rows.size());
        try (Scratch scratch = new Scratch()) {
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                for (DecodedSize size : List.of(
                        DecodedSize.exactly(row.size), DecodedSize.atMost(row.size), DecodedSize.atMost(1L << 31))) {
                    byte[] decoded = ZstdDecoder.read(new HeapBytes(row.frame, 0, row.frame.length), size, scratch)
                            .toArray();
                    assertEquals(row.size, decoded.length, "row " + i + ", " + size);
                    assertArrayEquals(row.hash, sha256(decoded), "row " + i + ", " + size);
                    scratch.reset(0);
                }
            }
        }
    }

    /** Between other bytes, which must neither be read as part of it nor written to. */
    @Test
    void everyRow_insideOtherArrays_touchesNothingElse() {
        ZstdDecoder decoder = new ZstdDecoder();
        for (Row row : rows()) {
            byte[] in = new byte[row.frame.length + 2];
            System.arraycopy(row.frame, 0, in, 1, row.frame.length);
            byte[] out = new byte[row.size + 7];
            Arrays.fill(out, (byte) 0x5a);
            decoder.expand(new HeapBytes(in, 1, in.length - 1), out, 3, row.size);
            for (int i : new int[] {0, 1, 2, row.size + 3, row.size + 4, row.size + 5, row.size + 6}) {
                assertEquals(0x5a, out[i], "outside of " + row.size + " bytes, at " + i);
            }
            assertArrayEquals(row.hash, sha256(Arrays.copyOfRange(out, 3, 3 + row.size)));
        }
    }

    @Test
    void piecesOfInput_areOneStream() {
        Row row = rows().get(10);
        int half = row.frame.length / 2;
        Bytes pieces = Bytes.concat(List.of(
                Bytes.of(row.frame, 0, half),
                Bytes.of(ByteBuffer.allocateDirect(row.frame.length - half)
                        .put(row.frame, half, row.frame.length - half)
                        .flip())));
        try (Scratch scratch = new Scratch()) {
            assertArrayEquals(
                    row.hash,
                    sha256(ZstdDecoder.read(
                                    HeapBytes.of(pieces, scratch, "zstd"), DecodedSize.exactly(row.size), scratch)
                            .toArray()));
        }
    }
}
