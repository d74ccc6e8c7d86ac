package dev.shardkit.codec.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.type.CoreTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of stored chunks that are read by byte ranges of their own, beside the same parts of the decoded chunk. */
class PartsByRangesTest {
    private static final ChunkType TYPE = Codecs.type(
            CoreTypes.all().stream()
                    .filter(t -> t.name().equals("int16"))
                    .findFirst()
                    .orElseThrow(),
            8,
            128,
            128);

    private final ChunkCodec codec = Codecs.bind(TYPE, Codecs.bytes("big"));
    private final byte[] encoded = new byte[8 * 128 * 128 * 2];
    private final List<ByteRange> asked = new ArrayList<>();

    PartsByRangesTest() {
        new Random(3).nextBytes(encoded);
    }

    private byte[] read(Source source, Box part, boolean absent) {
        asked.clear();
        DenseChunk out = DenseChunk.filled(TYPE.withShape(part.shape()));
        try (Scratch scratch = new Scratch()) {
            PlanRun.run(codec.decodeInto(source, part, out.target()), scratch, request -> {
                asked.add(request.range());
                return absent
                        ? new ReadResult.Absent()
                        : new ReadResult.Found(Bytes.of(encoded).slice(request.range()), encoded.length);
            });
        }
        return Codecs.content(out);
    }

    private byte[] expected(Box part) {
        DenseChunk out = DenseChunk.filled(TYPE.withShape(part.shape()));
        try (Scratch scratch = new Scratch()) {
            codec.decode(Bytes.of(encoded), part, out.target(), scratch);
        }
        return Codecs.content(out);
    }

    private long bytesAsked() {
        return asked.stream()
                .mapToLong(r -> r instanceof ByteRange.Slice s ? s.length() : encoded.length)
                .sum();
    }

    @Test
    void randomParts_areThoseOfTheWholeChunk_ofFewerBytes() {
        Random random = new Random(11);
        long fewer = 0;
        for (int round = 0; round < 200; round++) {
            long[] shape = {
                1 + random.nextInt(8),
                1 + random.nextInt(random.nextBoolean() ? 8 : 128),
                1 + random.nextInt(random.nextBoolean() ? 8 : 128)
            };
            long[] origin = new long[3];
            for (int d = 0; d < 3; d++) {
                origin[d] = random.nextInt((int) (TYPE.shape()[d] - shape[d]) + 1);
            }
            Box part = Box.of(origin, shape);
            assertArrayEquals(expected(part), read(Source.stored("k"), part, false), part.toString());
            fewer += bytesAsked() < encoded.length ? 1 : 0;
        }
        assertTrue(fewer > 100, fewer + " of 200 by ranges");
    }

    @Test
    void narrowPartsFarApart_areRangesOfTheirOwn() {
        Box part = Box.of(new long[] {1, 5, 3}, new long[] {6, 2, 7});
        assertArrayEquals(expected(part), read(Source.stored("k"), part, false));
        assertEquals(6, asked.size());
        assertEquals(6 * (128 + 7) * 2, bytesAsked());
    }

    @Test
    void ofAnAbsentChunk_allIsTheFillValue() {
        byte[] all = read(Source.stored("k"), Box.of(new long[] {1, 5, 3}, new long[] {6, 2, 7}), true);
        assertArrayEquals(new byte[6 * 2 * 7 * 2], all);
        assertEquals(6, asked.size());
    }

    @Test
    void aChunkOfAnotherSize_isRefused_thoughTheRangesAreThere() {
        Source shorter = Source.stored("k").inner(new long[] {0}, 0, encoded.length - 2);
        assertThrows(
                CorruptDataException.class,
                () -> read(shorter, Box.of(new long[] {0, 0, 0}, new long[] {1, 2, 2}), false));
    }
}
