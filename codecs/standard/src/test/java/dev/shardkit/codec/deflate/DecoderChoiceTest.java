package dev.shardkit.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DecoderChoiceTest {
    private static final int CHUNK = 64 << 10;

    @Test
    void theInflater_decodesTheFirstBytes() {
        DecoderChoice choice = new DecoderChoice();
        for (long done = 0; done <= DecoderChoice.FIRST; done += CHUNK) {
            assertFalse(choice.isOwn());
            choice.count(false, CHUNK);
        }
        assertTrue(choice.isOwn());
    }

    @Test
    void ourDecoder_getsAShareAndThenAll() {
        DecoderChoice choice = new DecoderChoice();
        long inflated = 0;
        long own = 0;
        while (own < DecoderChoice.LEARNING) {
            boolean isOwn = choice.isOwn();
            choice.count(isOwn, CHUNK);
            own += isOwn ? CHUNK : 0;
            inflated += isOwn ? 0 : CHUNK;
        }
        assertEquals(DecoderChoice.SHARE, (inflated - DecoderChoice.FIRST) / (double) own, 0.2);
        for (int i = 0; i < 1000; i++) {
            assertTrue(choice.isOwn());
            choice.count(true, CHUNK);
        }
    }
}
