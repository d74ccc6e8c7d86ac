package dev.shardkit.conformance;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A range of one dimension of a selection.
 *
 * @param start the first index
 * @param stop the end (exclusive)
 */
public record SelectionRange(long start, long stop) {
    /** Returns the form of a selection in the tool's command: {@code 0:4,2:9}. */
    static String argument(List<SelectionRange> selection) {
        return selection.stream().map(s -> s.start + ":" + s.stop).collect(Collectors.joining(","));
    }
}
