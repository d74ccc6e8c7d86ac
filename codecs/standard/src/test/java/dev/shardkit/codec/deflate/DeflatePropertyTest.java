package dev.shardkit.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

/** Random streams decode as by the JDK's Inflater, and damaged ones are refused as by it. */
class DeflatePropertyTest {
    private static final int MAX = 400_000;

    private final DifferentialInflater raw = new DifferentialInflater(DeflateFormat.RAW);
    private final DifferentialInflater zlib = new DifferentialInflater(DeflateFormat.ZLIB);

    @Test
    void streamsOfTheDeflater_decode() {
        for (int seed = 0; seed < Rounds.of(50); seed++) {
            RandomStreams streams = new RandomStreams(seed);
            byte[] content = streams.content(seed % 10 == 0 ? 300_000 : 3000);
            byte[] stream = streams.deflated(content, DeflateFormat.RAW);
            DifferentialInflater.Decoded decoded =
                    raw.agree(stream, content.length).orElseThrow();
            assertArrayEquals(content, decoded.bytes(), "seed " + seed);
            assertEquals(stream.length, decoded.size(), "seed " + seed);
            byte[] wrapped = streams.deflated(content, DeflateFormat.ZLIB);
            assertArrayEquals(
                    content, zlib.agree(wrapped, content.length).orElseThrow().bytes(), "seed " + seed);
        }
    }

    @Test
    void randomCodes_decode() {
        int accepted = 0;
        for (int seed = 0; seed < Rounds.of(400); seed++) {
            if (raw.agree(new RandomStreams(seed).ofRandomCodes(), MAX).isPresent()) {
                accepted++;
            }
        }
        assertTrue(accepted > Rounds.of(200), accepted + " are valid");
    }

    @Test
    void mutatedStreams_agree() {
        mutate(0, Rounds.of(3_000));
    }

    /** Compares {@code n} mutated streams. */
    void mutate(long seed, int n) {
        byte[] stream = {};
        byte[] wrapped = {};
        RandomStreams streams = new RandomStreams(seed);
        for (int i = 0; i < n; i++) {
            if (i % 50 == 0) {
                byte[] content = streams.content(3000);
                stream = i % 100 == 0 ? streams.deflated(content, DeflateFormat.RAW) : streams.ofRandomCodes();
                wrapped = streams.deflated(content, DeflateFormat.ZLIB);
            }
            raw.agree(streams.mutated(stream), i % 3 == 0 ? 2000 : 20_000);
            if (i % 4 == 0) {
                zlib.agree(streams.mutated(wrapped), 20_000);
            }
        }
    }

    @Test
    void streams_cutAnywhere_areRefused() {
        for (int seed = 0; seed < 40; seed++) {
            RandomStreams streams = new RandomStreams(seed);
            byte[] content = streams.content(2000);
            byte[] stream = streams.deflated(content, DeflateFormat.RAW);
            byte[] wrapped = streams.deflated(content, DeflateFormat.ZLIB);
            for (int n = 0; n < stream.length; n++) {
                assertTrue(raw.agree(Arrays.copyOf(stream, n), 5000).isEmpty());
            }
            for (int n = 0; n < wrapped.length; n++) {
                assertTrue(zlib.agree(Arrays.copyOf(wrapped, n), 5000).isEmpty());
            }
        }
    }

    @Test
    void room_isExact() {
        RandomStreams streams = new RandomStreams(7);
        for (int i = 0; i < Rounds.of(60); i++) {
            byte[] content = streams.content(2000);
            byte[] stream = streams.deflated(content, DeflateFormat.RAW);
            assertTrue(raw.agree(stream, content.length).isPresent());
            for (int less = 1; less <= Math.min(content.length, 3); less++) {
                assertTrue(raw.agree(stream, content.length - less).isEmpty());
            }
        }
    }

    @Test
    void bytesAfterTheStream_areGivenBack() {
        RandomStreams streams = new RandomStreams(8);
        for (int i = 0; i < 200; i++) {
            byte[] stream = streams.deflated(streams.content(500), DeflateFormat.RAW);
            byte[] more = Arrays.copyOf(stream, stream.length + i % 30);
            assertEquals(stream.length, raw.agree(more, 500).orElseThrow().size());
        }
    }

    @Test
    void output_growsWithTheContent() {
        byte[] content = new RandomStreams(9).content(300_000);
        byte[] stream = new RandomStreams(10).deflated(content, DeflateFormat.RAW);
        HeapBytes in = new HeapBytes(stream, 0, stream.length);
        DecodedSize most = DecodedSize.atMost(1 << 30);
        try (Scratch scratch = new Scratch()) {
            CodecOutput out = CodecOutput.decoding(most, 1, scratch);
            new DeflateDecoder(DeflateFormat.RAW).decode(in, 0, out, most, "x");
            assertArrayEquals(content, Arrays.copyOf(out.array(), out.size()));
            assertTrue(out.capacity() <= Math.max(516, 2 * content.length), "" + out.capacity());
        }
    }

    @Test
    void exactRoom_suffices() {
        RandomStreams streams = new RandomStreams(11);
        for (int i = 0; i < 50; i++) {
            byte[] content = streams.content(5000);
            byte[] stream = streams.deflated(content, DeflateFormat.ZLIB);
            byte[] out = new byte[content.length];
            CodecOutput exact = CodecOutput.within(out, 0, out.length); // no room for a byte more
            HeapBytes in = new HeapBytes(stream, 0, stream.length);
            assertEquals(
                    stream.length,
                    new DeflateDecoder(DeflateFormat.ZLIB).decode(in, 0, exact, DecodedSize.exactly(out.length), "x"));
            assertEquals(out.length, exact.size());
            assertArrayEquals(content, out);
        }
    }

    /** The JDK's Inflater accepts and refuses the same streams. */
    @Test
    void changedStreams_areReadOrRefusedAsByTheInflater() throws Exception {
        RandomStreams streams = new RandomStreams(12);
        Random random = new Random(12);
        int refused = 0;
        for (int i = 0; i < Rounds.of(300); i++) {
            byte[] content = streams.content(300);
            byte[] stream = streams.deflated(content, DeflateFormat.ZLIB);
            stream[random.nextInt(stream.length)] ^= (byte) (1 << random.nextInt(8));
            int most = Math.max(0, content.length - random.nextInt(3));
            boolean ours = isRead(stream, most);
            assertEquals(isInflated(stream, most), ours, "stream " + i);
            refused += ours ? 0 : 1;
        }
        assertTrue(refused > Rounds.of(225), "" + refused);
    }

    private static boolean isRead(byte[] stream, int most) {
        CodecOutput out = CodecOutput.within(new byte[most], 0, most);
        HeapBytes in = new HeapBytes(stream, 0, stream.length);
        try {
            new DeflateDecoder(DeflateFormat.ZLIB).decode(in, 0, out, DecodedSize.atMost(most), "x");
            return true;
        } catch (CorruptDataException e) {
            return false;
        }
    }

    private static boolean isInflated(byte[] stream, int most) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(stream);
            byte[] out = new byte[most + 1];
            int n = 0;
            int more = 1;
            while (more > 0) {
                more = inflater.inflate(out, n, out.length - n);
                n += more;
            }
            return inflater.finished() && n <= most;
        } catch (DataFormatException e) {
            return false;
        } finally {
            inflater.end();
        }
    }
}
