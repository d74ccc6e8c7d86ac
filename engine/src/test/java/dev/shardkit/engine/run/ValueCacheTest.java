package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ValueCacheTest {
    private static ValueCache.Key key(String object) {
        return new ValueCache.Key(object, "v", ByteRange.whole(), "id");
    }

    @Test
    void put_overBudget_dropsWhatWasUsedLongestAgo() {
        ValueCache cache = new ValueCache(3 * (128 + 10));
        cache.put(key("a"), 1, 10);
        cache.put(key("b"), 2, 10);
        cache.put(key("c"), 3, 10);
        assertEquals(Optional.of(1), cache.get(key("a")));
        cache.put(key("d"), 4, 10);
        assertEquals(Optional.empty(), cache.get(key("b")));
        assertEquals(Optional.of(1), cache.get(key("a")));
        assertEquals(3 * 138, cache.weight());
    }

    @Test
    void put_again_countsOnce() {
        ValueCache cache = new ValueCache(1000);
        cache.put(key("a"), 1, 10);
        cache.put(key("a"), 2, 20);
        assertEquals(148, cache.weight());
        assertEquals(Optional.of(2), cache.get(key("a")));
    }

    @Test
    void put_ofMoreThanTheBudget_keepsTheOthers() {
        ValueCache cache = new ValueCache(1000);
        cache.put(key("a"), 1, 10);
        cache.put(key("b"), 2, 1000);
        cache.put(key("c"), 3, Long.MAX_VALUE);
        assertEquals(Optional.of(1), cache.get(key("a")));
        assertEquals(138, cache.weight());
    }

    @Test
    void put_ofNegativeWeight_doesNotMakeRoom() {
        ValueCache cache = new ValueCache(1000);
        cache.put(key("a"), 1, Long.MIN_VALUE);
        assertEquals(128, cache.weight());
    }

    @Test
    void noBudget_keepsNothing() {
        ValueCache cache = new ValueCache(0);
        cache.put(key("a"), 1, 0);
        cache.seen("a", "v", 1);
        assertTrue(cache.get(key("a")).isEmpty() && cache.known("a").isEmpty());
    }

    @Test
    void otherVersionRangeOrIdentity_isAnotherValue() {
        ValueCache cache = new ValueCache(1000);
        cache.put(key("a"), 1, 0);
        assertTrue(
                cache.get(new ValueCache.Key("a", "w", ByteRange.whole(), "id")).isEmpty());
        assertTrue(cache.get(new ValueCache.Key("a", "v", ByteRange.whole(5), "id"))
                .isEmpty());
        assertTrue(cache.get(new ValueCache.Key("a", "v", ByteRange.whole(), "other"))
                .isEmpty());
    }

    @Test
    void forget_dropsWhatIsKnown() {
        ValueCache cache = new ValueCache(1000);
        cache.seen("a", "v", 1);
        cache.forget("a");
        assertTrue(cache.known("a").isEmpty());
    }

    @Test
    void caches_overTheBudgetOfAll_dropFromTheOneUsedLongestAgo() {
        CacheBudget ofAll = new CacheBudget(10_000);
        ValueCache first = new ValueCache(8000, ofAll);
        ValueCache second = new ValueCache(8000, ofAll);
        for (int i = 0; i < 5; i++) {
            first.put(key("a" + i), i, 1000);
            second.put(key("b" + i), i, 500);
        }
        assertEquals(5 * 1128 + 5 * 628, ofAll.total());
        assertEquals(Optional.of(0), first.get(key("a0")));
        second.put(key("b5"), 5, 1500);
        assertTrue(ofAll.total() <= 10_000, () -> ofAll.total() + " bytes");
        assertEquals(ofAll.total(), first.weight() + second.weight());
        assertEquals(Optional.of(5), second.get(key("b5")), "what was put last stays");
        assertEquals(Optional.of(0), first.get(key("a0")), "it was used after the others");
        assertEquals(Optional.empty(), first.get(key("a1")));
        first.clear();
        assertEquals(second.weight(), ofAll.total());
    }

    @Test
    void caches_thatNobodyReaches_giveTheirBytesBack() {
        CacheBudget ofAll = new CacheBudget(10_000);
        ValueCache kept = new ValueCache(8000, ofAll);
        kept.put(key("a"), 1, 1000);
        for (int i = 0; ofAll.total() < 9000; i++) {
            new ValueCache(8000, ofAll).put(key("b" + i), i, 1000);
        }
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (ofAll.total() > 2 * 1128 && System.nanoTime() < deadline) {
            System.gc();
            kept.get(key("a")); // stays in use: many caches fill the budget if the JVM is slow to clear references
            new ValueCache(8000, ofAll).put(key("c"), 1, 0);
        }
        assertTrue(ofAll.total() <= 2 * 1128, () -> ofAll.total() + " bytes");
        assertEquals(Optional.of(1), kept.get(key("a")));
    }
}
