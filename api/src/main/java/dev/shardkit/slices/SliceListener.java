package dev.shardkit.slices;

/**
 * Receives events of a stream of slices whose strategy is {@link SliceStrategy#PIPELINED}. The methods are called on
 * the thread of the call that waits. They must not wait for the stream. Exceptions are logged and ignored.
 */
public interface SliceListener {
    /** Called when a slice has to wait, because the budget is used up. */
    default void onFull(SliceBacklog backlog) {}

    /**
     * Called when a slice has waited.
     *
     * @param nanos how long it waited, in nanoseconds
     */
    default void onSpace(SliceBacklog backlog, long nanos) {}
}
