package dev.shardkit.store.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.MergePolicy;
import org.junit.jupiter.api.Test;

class NetworkEstimateTest {
    private static final long MILLISECOND = 1_000_000;

    private long now = 5;
    private final NetworkEstimate traffic = new NetworkEstimate(() -> now);

    /** Lets bytes come in small pieces at so many a second. */
    private void come(long bytes, double bandwidth) {
        for (long left = bytes; left > 0; left -= 16_000) {
            now += (long) (Math.min(left, 16_000) / bandwidth * 1e9);
            traffic.bodyReceived(Math.min(left, 16_000));
        }
    }

    private static void assertNear(MergePolicy expected, MergePolicy found) {
        assertEquals(expected.parallel(), found.parallel());
        double ratio = (double) found.widestGap() / expected.widestGap();
        assertTrue(ratio > 0.45 && ratio < 2.2, "expected " + expected + ", found " + found);
    }

    @Test
    void fewRequestsAreUnderWay_untilThereWereBytesEnoughToTell() {
        MergePolicy before = traffic.policy();
        traffic.responseBegan(20 * MILLISECOND);
        come(8 << 10, 1e9);
        traffic.bodyEnded();
        assertEquals(before, traffic.policy());
        traffic.responseBegan(20 * MILLISECOND);
        come(4 << 20, 1e9);
        traffic.bodyEnded();
        assertNear(MergePolicy.measured(0.02, 1e9, 24), traffic.policy());
    }

    @Test
    void bodiesThatShareANarrowLink_andEndTogether_countTogether() {
        for (int i = 0; i < 8; i++) {
            traffic.responseBegan(20 * MILLISECOND);
        }
        come(8 << 20, 1e7);
        for (int i = 0; i < 8; i++) {
            traffic.bodyEnded();
        }
        assertNear(MergePolicy.measured(0.02, 1e7, 24), traffic.policy());
    }

    @Test
    void timeWithoutABody_doesNotCount() {
        for (int i = 0; i < 200; i++) {
            now += 50 * MILLISECOND;
            traffic.responseBegan(20 * MILLISECOND);
            come(64_000, 1e8);
            traffic.bodyEnded();
        }
        assertNear(MergePolicy.measured(0.02, 1e8, 24), traffic.policy());
    }

    @Test
    void theShortestOfTheLastLatencies_counts() {
        for (int i = 0; i < 100; i++) {
            traffic.responseBegan((i % 2 == 0 ? 20 : 300) * MILLISECOND);
            come(1 << 20, 1e8);
            traffic.bodyEnded();
        }
        assertNear(MergePolicy.measured(0.02, 1e8, 24), traffic.policy());
    }

    @Test
    void whatIsMeasured_makesGapsWideOnlyWhereBytesAreCheap() {
        MergePolicy fast = MergePolicy.measured(0.02, 1e9, 24);
        MergePolicy slow = MergePolicy.measured(0.02, 1e7, 24);
        assertEquals(64 << 10, fast.gap());
        assertEquals((long) (2 * 0.02 * 1e9 / 24), fast.widestGap());
        assertEquals((long) (2 * 0.02 * 1e7 / 24), slow.widestGap());
        assertEquals(slow.widestGap(), slow.gap());
        assertEquals(8 << 20, MergePolicy.measured(10, 1e12, 1).widestGap());
        assertEquals(300_000, MergePolicy.measured(1e-4, 1e9, 24).widestGap(), 1, "a request costs work, however near");
    }

    /** As many answers as may be under way, each after so many milliseconds. */
    private static void round(NetworkEstimate traffic, long milliseconds) {
        int all = traffic.window();
        for (int i = 0; i < all; i++) {
            traffic.sent();
        }
        for (int i = 0; i < all; i++) {
            traffic.responseBegan(milliseconds * MILLISECOND);
            traffic.sent();
        }
        for (int i = 0; i < 2 * all; i++) {
            traffic.requestEnded(NetworkEstimate.Ending.OTHER);
        }
    }

    @Test
    void requests_growInNumber_whileAnswersComeAsSoon() {
        NetworkEstimate wide = new NetworkEstimate(() -> now, 256);
        assertEquals(24, wide.window());
        round(wide, 10);
        assertTrue(wide.window() > 24, "found " + wide.window());
        round(wide, 10);
        round(wide, 12);
        round(wide, 14);
        assertEquals(256, wide.window(), "no more than the store allows");
    }

    @Test
    void requests_stayAsMany_whereAnswersWaitForEachOther() {
        NetworkEstimate slow = new NetworkEstimate(() -> now, 256);
        slow.responseBegan(2 * MILLISECOND);
        for (int i = 0; i < 100; i++) {
            round(slow, 40);
        }
        assertEquals(24, slow.window());
    }

    @Test
    void requests_withAHighLatency_areManyAtOnce() {
        NetworkEstimate far = new NetworkEstimate(() -> now, 256);
        far.responseBegan(100 * MILLISECOND);
        assertEquals(100, far.window());
        NetworkEstimate few = new NetworkEstimate(() -> now, 10);
        few.responseBegan(100 * MILLISECOND);
        assertEquals(10, few.window());
    }

    @Test
    void refusals_halveTheRequests_onceForEachRound() {
        NetworkEstimate far = new NetworkEstimate(() -> now, 256);
        far.responseBegan(100 * MILLISECOND);
        for (int i = 0; i < 100; i++) {
            far.sent();
        }
        for (int i = 0; i < 100; i++) {
            far.requestEnded(NetworkEstimate.Ending.REFUSED);
        }
        assertEquals(50, far.window());
    }
}
