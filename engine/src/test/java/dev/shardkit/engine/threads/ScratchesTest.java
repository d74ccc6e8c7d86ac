package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.shardkit.spi.plan.Scratch;
import org.junit.jupiter.api.Test;

class ScratchesTest {
    @Test
    void handles_shareIdleScratches() {
        Workers one = Workers.of(null, 1);
        Workers other = Workers.of(Runnable::run, 3);
        Scratch scratch = one.scratch();
        one.giveBack(scratch);
        Scratch taken = other.scratch();
        assertSame(scratch, taken);
        assertNotSame(scratch, one.scratch(), "it is in use");
    }

    @Test
    void handles_ofOneParallelism_shareThreads() {
        Workers one = Workers.of(null, 3);
        assertSame(one, Workers.of(null, 3));
        assertNotSame(one, Workers.of(null, 4));
        assertNotSame(one, Workers.of(Runnable::run, 3));
        assertSame(one, Workers.of(null, 3));
    }

    @Test
    void idleScratches_keepWithinTheBudget() {
        int processors = Runtime.getRuntime().availableProcessors();
        Scratches pool = new Scratches(processors * 4096L);
        Scratch[] all = new Scratch[processors + 3];
        for (int i = 0; i < all.length; i++) {
            all[i] = pool.take();
            all[i].borrow(4096);
        }
        for (Scratch s : all) {
            pool.giveBack(s, all.length);
        }
        assertEquals(processors * 4096L, pool.idleBytes());
        pool.take().borrow(100_000);
        assertEquals((processors - 1) * 4096L, pool.idleBytes());
    }

    @Test
    void scratch_ofOneWorker_keepsItsShareAlone() {
        Scratches pool = new Scratches(Runtime.getRuntime().availableProcessors() * 4096L);
        Scratch scratch = pool.take();
        scratch.borrow(100_000);
        pool.giveBack(scratch, 1);
        assertEquals(0, pool.idleBytes());
    }
}
