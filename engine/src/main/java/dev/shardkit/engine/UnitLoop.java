package dev.shardkit.engine;

import dev.shardkit.spi.plan.Scratch;
import java.util.List;

/** Performs units of a run on the calling thread until there is none. */
final class UnitLoop {
    private UnitLoop() {}

    static void run(WorkQueue.Units units, Execution<?> run, Workers workers) {
        Scratch scratch = workers.scratch();
        try {
            CallFuture.working(() -> {
                for (Work unit = units.next(); unit != null; unit = units.next()) {
                    perform(unit, run, scratch);
                }
            });
        } finally {
            workers.giveBack(scratch);
        }
    }

    private static void perform(Work unit, Execution<?> run, Scratch scratch) {
        List<Work.Step> steps = List.of();
        try {
            steps = run.asBegun(() -> unit.run(scratch));
            scratch.reset(0);
        } catch (Work.Failed e) {
            run.failed(e);
        } catch (Throwable e) {
            run.fail(e);
        } finally {
            run.pump(steps, 1, 1);
        }
    }
}
