package dev.shardkit.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as its threads see it: a queue of units of work. Its monitor guards their counts, and is notified when units
 * are added or the run may have ended.
 */
interface WorkQueue {
    /** Provides units of work. */
    interface Units {
        /** Returns the next unit; null if the thread is to end. If it throws, it has taken none. */
        @Nullable
        Work next();
    }

    /** Performs units until there is none. */
    void work(Units units);

    /** Returns the number of waiting units. Under the monitor. */
    int waitingUnits();

    /** Adds units, and asks for threads. Throws nothing. */
    void answered(List<Work> decoding);

    /** Whether units wait and no calling thread will take them. Under the monitor. */
    boolean isStuck();

    /** Takes a unit, of which there must be one. Allocates nothing. Under the monitor. */
    Work taken();

    /** Whether the run has ended but for its outcome. */
    boolean isDone();

    /** Ends the run; the first failure counts. Throws nothing. Never called under the monitor. */
    void fail(Throwable thrown);

    /** Ends the run for the calling thread. Under the monitor. */
    void close();

    /** Completes the future of a run that has ended. Throws nothing. */
    void endIfDone();
}
