package dev.shardkit.spi.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScratchTest {
    private static final Object KEY = new Object();

    @Test
    void borrow_givesEachItsOwn_untilReset() {
        Scratch scratch = new Scratch();
        byte[] outer = scratch.borrow(5000);
        int mark = scratch.mark();
        byte[] inner = scratch.borrow(5000);
        assertNotSame(outer, inner);
        scratch.reset(mark);
        assertSame(inner, scratch.borrow(4000));
        assertNotSame(outer, scratch.borrow(4000));
        scratch.reset(0);
        assertEquals(0, scratch.mark());
        byte[] again = scratch.borrow(5000);
        assertTrue(again == outer || again == inner);
    }

    @Test
    void borrow_isAtLeastAsLong_butNoGiantForASmallOne() {
        Scratch scratch = new Scratch();
        for (int size : new int[] {0, 1, 1023, 1024, 1025, 65536, 65537, 1_000_003}) {
            byte[] buffer = scratch.borrow(size);
            assertTrue(
                    buffer.length >= size && buffer.length <= Math.max(1024, size + size / 7 + 1),
                    size + ": " + buffer.length);
        }
        scratch.reset(0);
        assertTrue(scratch.borrow(10).length <= 4096 + 3);
    }

    @Test
    void reset_keepsNoMoreThanItMay() {
        Scratch scratch = new Scratch(10_000);
        byte[] first = scratch.borrow(8192);
        byte[] second = scratch.borrow(8192);
        scratch.reset(0);
        byte[] kept = scratch.borrow(8192);
        assertTrue(kept == first || kept == second);
        byte[] fresh = scratch.borrow(8192);
        assertTrue(fresh != first && fresh != second);
    }

    @Test
    void state_isMadeOnce_andClosedInTheEnd() {
        List<String> events = new ArrayList<>();
        Scratch scratch = new Scratch();
        AutoCloseable state = scratch.state(KEY, () -> {
            events.add("made");
            return () -> events.add("closed");
        });
        assertSame(state, scratch.state(KEY, () -> {
            throw new AssertionError();
        }));
        scratch.close();
        scratch.close();
        assertEquals(List.of("made", "closed"), events);
        Scratch failing = new Scratch();
        failing.<AutoCloseable>state(KEY, () -> () -> {
            throw new java.io.IOException("no");
        });
        assertThrows(IllegalStateException.class, failing::close);
    }

    @Test
    void directBuffers_areLentOnce_andComeBackWithTheArrays() {
        Scratch scratch = new Scratch();
        ByteBuffer first = scratch.borrowDirect(3000);
        int mark = scratch.mark();
        byte[] array = scratch.borrow(3000);
        ByteBuffer second = scratch.borrowDirect(2000);
        assertTrue(first.isDirect() && first.remaining() == 3000 && second.remaining() == 2000);
        first.put(0, (byte) 1);
        second.put(0, (byte) 2);
        assertEquals(1, first.get(0));
        scratch.reset(mark);
        assertSame(array, scratch.borrow(3000));
        ByteBuffer again = scratch.borrowDirect(100);
        assertEquals(2, again.get(0), "the buffer that came back");
        assertEquals(1, first.get(0), "still lent");
    }

    @Test
    void directBuffers_countAmongWhatIsKept() {
        Scratch scratch = new Scratch(10_000);
        scratch.borrowDirect(60_000).put(0, (byte) 7);
        scratch.reset(0);
        assertEquals(0, scratch.borrowDirect(60_000).get(0), "a fresh one");
    }

    @Test
    void directBuffersOfGrowingSizes_areNotAllKept() {
        Scratch scratch = new Scratch();
        for (int size = 1 << 10; size <= 1 << 20; size += 1 << 10) {
            scratch.borrowDirect(size).put(0, (byte) 7);
            scratch.reset(0);
        }
        int mark = scratch.mark();
        assertEquals(7, scratch.borrowDirect(10).get(0), "the largest one is there");
        assertEquals(0, scratch.borrowDirect(10).get(0), "and no other");
        scratch.reset(mark);
    }

    @Test
    void states_ofManyKeys_areClosed_thoseUsedLongestAgoFirst_betweenSteps() {
        Scratch scratch = new Scratch();
        List<Integer> closed = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            scratch.state(i, () -> () -> closed.add(number));
            scratch.state(0, () -> () -> closed.add(1000));
        }
        assertEquals(List.of(), closed, "a step may use as many as it likes");
        scratch.reset(0);
        assertEquals(IntStream.rangeClosed(1, 100 - 32).boxed().toList(), closed);
        scratch.close();
        assertEquals(100, closed.size());
    }

    @Test
    void kept_countsWhatNobodyHasBorrowed() {
        Scratch scratch = new Scratch(100_000);
        scratch.borrow(4096);
        scratch.borrowDirect(8192);
        assertEquals(0, scratch.kept());
        scratch.reset(0);
        assertEquals(4096 + 8192, scratch.kept());
    }
}
