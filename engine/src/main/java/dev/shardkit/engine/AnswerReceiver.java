package dev.shardkit.engine;

import dev.shardkit.spi.plan.PlanRun;
import java.util.List;
import java.util.function.Supplier;

/** A run as its requests see it: it receives their answers. Its monitor guards the state of the requests. */
interface AnswerReceiver {
    /** Accepts the answer to a request. Throws nothing: the store's thread that delivers it would lose the failure. */
    void answered(List<Work> decoding);

    /** Ends the run; the first failure counts. Throws nothing. Never called under the monitor. */
    void fail(Throwable thrown);

    /** Drops the parts of these tasks, which run again in the next round. Under the monitor. */
    void drop(List<? extends PlanRun.Task> tasks);

    /** Runs code with this run's flight state: a run that begins inside a run without flights uses none either. */
    <V> V asBegun(Supplier<V> work);

    /** Whether accepting an answer never blocks: it calls no foreign code, and a parked thread continues the run. */
    boolean acceptsDirectly();

    /** Whether a read may lead a flight, or wait for one. */
    boolean mayShare(List<PlanRun.ReadTask> tasks);

    /** Whether a unit of work that the calling thread has begun is to end early, because another run waits. */
    boolean mustMakeWay(long begun);

    /** Returns the maximum number of workers of the run. */
    int parallelism();
}
