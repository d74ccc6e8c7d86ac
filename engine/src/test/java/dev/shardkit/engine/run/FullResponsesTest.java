package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FullResponsesTest {
    private static final ByteRange RANGE = new ByteRange.Slice(10, 20);

    private final AtomicLong budget = new AtomicLong(100);
    private final FullResponses bodies = new FullResponses(budget);

    private static FetchResult found(int size) {
        Bytes whole = Bytes.of(new byte[size]);
        return new FetchResult.Found(whole.slice(0, 1), size, Optional.of("v"), size, Optional.of(whole));
    }

    private void bring(String key, int size) {
        FullResponses.Reservation place = bodies.reservation(key);
        place.reserve(size);
        place.end(found(size));
    }

    @Test
    void object_thatCame_isFoundUntilTheEnd() {
        bring("a", 40);
        assertEquals(40, bodies.find("a", RANGE).orElseThrow().bytes().size());
        assertTrue(bodies.find("a", new ByteRange.Slice(30, 20)).isEmpty(), "past the end");
        assertTrue(bodies.find("a", ByteRange.whole()).isEmpty());
        assertEquals(60, budget.get());
        bodies.close();
        assertTrue(bodies.find("a", RANGE).isEmpty());
        assertEquals(100, budget.get());
    }

    @Test
    void budget_thatIsSpent_dropsWhatWasUsedLongestAgo() {
        bring("a", 40);
        bring("b", 40);
        assertTrue(bodies.find("a", RANGE).isPresent());
        bring("c", 40);
        assertTrue(bodies.find("b", RANGE).isEmpty());
        assertTrue(bodies.find("a", RANGE).isPresent());
        assertEquals(20, budget.get());
    }

    @Test
    void room_thatOthersHave_isRefusedAndDropsNothing() {
        bring("a", 40);
        budget.addAndGet(-50); // another run
        FullResponses.Reservation place = bodies.reservation("b");
        assertFalse(place.reserve(51));
        assertTrue(bodies.find("a", RANGE).isPresent());
        assertTrue(place.reserve(50));
        assertTrue(bodies.find("a", RANGE).isEmpty());
        place.end(null);
        assertFalse(place.reserve(50), "its request is over");
        assertEquals(50, budget.get());
    }

    @Test
    void room_askedForAgain_isNotTakenTwice() {
        FullResponses.Reservation place = bodies.reservation("a");
        assertTrue(place.reserve(80));
        assertTrue(place.reserve(30));
        assertTrue(place.reserve(90));
        assertEquals(10, budget.get());
        FetchResult more = found(95);
        place.end(more);
        assertTrue(bodies.find("a", RANGE).isEmpty(), "more than was granted");
        assertEquals(100, budget.get());
    }

    @Test
    void requestThatEndsAfterTheRun_givesBackItsRoom() {
        FullResponses.Reservation place = bodies.reservation("a");
        assertTrue(place.reserve(80));
        bodies.close();
        place.end(found(80));
        assertEquals(100, budget.get());
    }

    @Test
    void find_twice_isTheSameObject() {
        bring("a", 40);
        assertSame(
                bodies.find("a", RANGE).orElseThrow(), bodies.find("a", RANGE).orElseThrow());
    }
}
