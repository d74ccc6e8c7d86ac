package dev.shardkit.conformance;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The part of one dimension of a selection, from {@code start} to before {@code stop}.
 *
 * @param start the first index
 * @param stop the index behind the last
 */
public record Span(long start, long stop) {
    /** A selection as a tool is told it: {@code 0:4,2:9}. */
    static String argument(List<Span> selection) {
        return selection.stream().map(s -> s.start + ":" + s.stop).collect(Collectors.joining(","));
    }
}
