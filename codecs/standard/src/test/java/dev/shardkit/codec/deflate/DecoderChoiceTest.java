package dev.shardkit.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DecoderChoiceTest {
    private static final int CHUNK = 64 << 10;

    @Test
    void theInflater_decodesTheFirstBytes() {
        DecoderChoice choice = new DecoderChoice(true);
        for (long done = 0; done <= DecoderChoice.FIRST; done += CHUNK) {
            assertFalse(choice.isOwn());
            choice.inflated(CHUNK);
        }
        assertTrue(choice.isOwn());
    }

    @Test
    void ourDecoder_getsAShareAndThenAll() {
        DecoderChoice choice = new DecoderChoice(true);
        long inflated = 0;
        long own = 0;
        while (own < DecoderChoice.LEARNING) {
            if (choice.isOwn()) {
                choice.decoded(CHUNK, CHUNK);
                own += CHUNK;
            } else {
                choice.inflated(CHUNK);
                inflated += CHUNK;
            }
        }
        assertEquals(DecoderChoice.SHARE, (inflated - DecoderChoice.FIRST) / (double) own, 0.2);
        for (int i = 0; i < 1000; i++) {
            assertTrue(choice.isOwn());
            choice.decoded(CHUNK, CHUNK);
        }
    }

    @Test
    void storedBlocks_teachNothing() {
        assertEquals(DecoderChoice.SHARE, ofOwn(new DecoderChoice(true)), 0.2);
    }

    @Test
    void jvmThatDoesNotCompile_keepsTheInflater() {
        assertTrue(Double.isInfinite(ofOwn(new DecoderChoice(false))));
    }

    /** Decodes a GiB of stored blocks; returns how many bytes the Inflater gets for each one of our decoder. */
    private static double ofOwn(DecoderChoice choice) {
        long inflated = 0;
        long own = 0;
        while (inflated + own < 1L << 30) {
            if (choice.isOwn()) {
                choice.decoded(CHUNK, 0);
                own += CHUNK;
            } else {
                choice.inflated(CHUNK);
                inflated += CHUNK;
            }
        }
        return (inflated - DecoderChoice.FIRST) / (double) own;
    }
}
