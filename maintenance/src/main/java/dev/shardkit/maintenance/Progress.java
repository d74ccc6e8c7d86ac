package dev.shardkit.maintenance;

/** Is told how far a maintenance run is. Called by the thread that runs it. */
@FunctionalInterface
public interface Progress {
    /** {@code done} of {@code total} stored objects of the array at path {@code array} are finished. */
    void at(String array, long done, long total);
}
