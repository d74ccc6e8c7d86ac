package dev.shardkit.maintenance;

/** Receives the progress of a maintenance run, on the thread of the run. */
@FunctionalInterface
public interface Progress {
    /** Reports that {@code done} of {@code total} stored objects of the array at path {@code array} are finished. */
    void at(String array, long done, long total);
}
