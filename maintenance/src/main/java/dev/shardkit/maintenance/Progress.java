package dev.shardkit.maintenance;

/** Receives the progress of a maintenance run, such as a copy or a check. Called on the thread of the run. */
@FunctionalInterface
public interface Progress {
    /** Reports that {@code done} of {@code total} stored objects of the array at path {@code array} are finished. */
    void at(String array, long done, long total);

    /**
     * Reports that {@code done} of the {@code total} decoded bytes of a run are finished, even while an object is being
     * written. Only copies report bytes, on any of their threads. Elements without a fixed size count as 16 bytes.
     */
    default void bytes(long done, long total) {}
}
