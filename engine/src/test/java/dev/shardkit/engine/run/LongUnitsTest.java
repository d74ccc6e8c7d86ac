package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that begins while another one keeps the only worker gets the worker after the next part of a unit. */
@Timeout(120)
class LongUnitsTest {
    private static final int PARTS = 1000;
    private static final int AT = 10;

    private final Engine engine = Runs.engine(1);
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<NoResult> small = new CompletableFuture<>();

    @Test
    void manyReadsInOneUnit_makeWay_near() {
        run(new LocalStore().with("k", new byte[PARTS]));
    }

    @Test
    void manyReadsInOneUnit_makeWay_far() {
        run(new RemoteStore().with("k", new byte[PARTS]));
    }

    private void run(Reads store) {
        Source object = Source.stored("k");
        run(i -> object.read(new ByteRange.Slice(i, 1), (answer, scratch) -> step(i)), store);
    }

    @Test
    void manyShortUnits_makeWay() {
        run(i -> Plan.defer(DataLocation.of("unit " + i), scratch -> Plan.done(step(i))), new LocalStore());
    }

    private void run(LongFunction<Plan<NoResult>> part, Reads store) {
        ReadContext context = Runs.merging(store, new MergePolicy(PARTS, PARTS, 1));
        // A wait with a limit leaves the work to the engine's only thread, which is the one to make way.
        engine.start(() -> Plan.each(PARTS, part), context)
                .orTimeout(5, TimeUnit.MINUTES)
                .join();
        small.join();
        assertEquals(PARTS + 1, order.size());
        int begun = order.indexOf("part " + AT);
        int small = order.indexOf("small");
        assertTrue(small - begun <= 3, "the short run waited for " + (small - begun) + " parts of the long one");
    }

    /** A part of the long run. One of them begins the short run, and takes a while. */
    private NoResult step(long part) {
        order.add("part " + part);
        if (part == AT) {
            engine.start(() -> Plan.defer(DataLocation.of("small"), this::small), Runs.context(new LocalStore()))
                    .thenAccept(small::complete);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 300_000) {
                Thread.onSpinWait();
            }
        }
        return NoResult.INSTANCE;
    }

    private Plan<NoResult> small(Scratch scratch) {
        order.add("small");
        return Plan.done();
    }
}
