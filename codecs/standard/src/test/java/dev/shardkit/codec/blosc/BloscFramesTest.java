package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.DecodedSize;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that c-blosc wrote. */
class BloscFramesTest {
    @ParameterizedTest
    @FieldSource("dev.shardkit.codec.blosc.Frames#SMALL")
    void fixture_decodes(String name) {
        byte[] expected = Frames.resource("decoded-1536.bin");
        assertArrayEquals(expected, Frames.decode(Frames.resource(name + ".blosc"), DecodedSize.exactly(1536)));
        assertArrayEquals(expected, Frames.decode(Frames.resource(name + ".blosc"), DecodedSize.atMost(5000)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"multiblock_lz4_shuffle", "multiblock_zstd_bitshuffle"})
    void fixtureOfSeveralBlocks_decodes(String name) {
        byte[] frame = Frames.resource(name + ".blosc");
        assertTrue(BloscHeader.parse(frame, 0, frame.length).blocks() > 1);
        assertArrayEquals(Frames.resource("decoded-94080.bin"), Frames.decode(frame, DecodedSize.exactly(94080)));
    }

    @Test
    void storedTinyFrame_decodes() {
        assertArrayEquals(
                Frames.resource("decoded-16.bin"),
                Frames.decode(Frames.resource("tiny.blosc"), DecodedSize.exactly(16)));
    }

    /** Compressors x shuffles x element sizes 1, 2, 3, 8, 17, with counts that no 8 divides, and short last blocks. */
    @Test
    void corpusOfNumcodecs_decodes() {
        byte[] corpus = Frames.resource("corpus.bin");
        int frames = 0;
        int at = 0;
        while (at < corpus.length) {
            int size = BloscHeader.int32(corpus, at + 4);
            int length = BloscHeader.int32(corpus, at + 12);
            byte[] frame = Arrays.copyOfRange(corpus, at, at + length);
            assertArrayEquals(
                    content(size),
                    Frames.decode(frame, DecodedSize.exactly(size)),
                    "frame " + frames + " at " + at + ": " + BloscHeader.parse(frame, 0, length));
            at += length;
            frames++;
        }
        assertEquals(5 * 3 * (3 * 5 + 1) + 1, frames);
    }

    /** The formula of make_corpus.py. */
    private static byte[] content(int size) {
        byte[] content = new byte[size];
        for (int i = 0; i < size; i++) {
            content[i] = (byte) ((i & 1) != 0 ? i >> 11 : (i * 7 + (i >> 4) * (i >> 4)) & 0x3F);
        }
        return content;
    }
}
