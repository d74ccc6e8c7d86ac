package dev.shardkit.store.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class HostLimitsTest {
    private int running;

    private void ask(Permits permits, int times) {
        for (int i = 0; i < times; i++) {
            permits.acquire(() -> running++);
        }
    }

    @Test
    void storesOfOneHost_shareOneLimit() {
        Permits one = HostLimits.of("shared.example:1", 8);
        assertSame(one, HostLimits.of("shared.example:1", 100));
        assertNotSame(one, HostLimits.of("shared.example:2", 8));
        ask(one, 300);
        assertEquals(256, running);
        one.release();
        assertEquals(257, running);
    }

    @Test
    void largerLimitOfAStore_raisesThatOfTheHost_alsoForRequestsThatWait() {
        Permits one = HostLimits.of("large.example", 8);
        ask(one, 400);
        assertEquals(256, running);
        HostLimits.of("large.example", 300);
        assertEquals(300, running);
        HostLimits.of("large.example", 16);
        one.release();
        assertEquals(301, running);
    }
}
