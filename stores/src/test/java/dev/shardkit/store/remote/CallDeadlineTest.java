package dev.shardkit.store.remote;

import static dev.shardkit.store.remote.CallDeadline.Limit.DEADLINE;
import static dev.shardkit.store.remote.CallDeadline.Limit.IDLE;
import static dev.shardkit.store.remote.CallDeadline.Limit.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CallDeadlineTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = 7;
    private final CallDeadline patience = new CallDeadline(120 * SECOND, 30 * SECOND, () -> now);

    /** Lets bytes come in each of so many seconds; the limit that was reached, if one was. */
    private CallDeadline.Limit come(int seconds, long bytes) {
        for (int i = 0; i < seconds && patience.reached() == NONE; i++) {
            now += SECOND;
            if (patience.reached() == NONE && bytes > 0) {
                patience.received(bytes);
            }
        }
        return patience.reached();
    }

    @Test
    void waitingForATurn_takesNoTime() {
        patience.queued();
        now += 1000 * SECOND;
        assertEquals(NONE, patience.reached());
        patience.sent();
        assertEquals(30 * SECOND, patience.next());
        assertEquals(120 * SECOND, patience.remainingNanos());
    }

    @Test
    void requestWithoutAByte_isIdle_andAllTriesAndPausesTogetherAreLate() {
        for (int i = 0; i < 3; i++) {
            patience.sent();
            assertEquals(NONE, come(29, 0));
            assertEquals(IDLE, come(1, 0));
            patience.paused();
            now += 10 * SECOND;
            assertEquals(i < 2 ? NONE : DEADLINE, patience.reached());
        }
    }

    @Test
    void bytesThatFlow_areWaitedFor_untilThirtyDeadlinesArePast() {
        patience.sent();
        assertEquals(NONE, come(3599, 4 << 10));
        assertEquals(DEADLINE, come(1, 4 << 10));
    }

    @Test
    void bytesThatDrip_orLeadNowhere_areNot() {
        patience.sent();
        assertEquals(NONE, come(100, 10));
        assertEquals(DEADLINE, come(25, 10));
        CallDeadline useless = new CallDeadline(120 * SECOND, 30 * SECOND, () -> now);
        useless.sent();
        for (int i = 0; i < 120; i++) {
            assertEquals(NONE, useless.reached());
            now += SECOND;
            useless.progressed();
        }
        assertEquals(DEADLINE, useless.reached());
    }

    @Test
    void bytesThatCameBefore_areNoCredit() {
        CallDeadline quick = new CallDeadline(5 * SECOND, 30 * SECOND, () -> now);
        quick.sent();
        quick.received(1 << 30);
        assertEquals(5 * SECOND, quick.next());
        now += 5 * SECOND;
        assertEquals(DEADLINE, quick.reached());
    }
}
