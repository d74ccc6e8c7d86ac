package dev.shardkit.serve;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key of a chunk, such as {@code group/array/c/0/1}, split into the path of the array and the position of the
 * chunk. The key has the chunk key encoding {@code default} (core specification, "Chunk key encoding"). Immutable.
 *
 * @param node the path of the array
 * @param cell the position of the chunk in the grid
 */
record ChunkPath(String node, long[] cell) {
    private static final Pattern KEY = Pattern.compile("(?:(.*)/)?c((?:/(?:0|[1-9][0-9]{0,17}))*+)");

    /**
     * Parses a key that consists of the path of an array, {@code /c} and the indices of a chunk. Empty for other keys.
     */
    static Optional<ChunkPath> parse(String key) {
        Matcher matcher = KEY.matcher(key);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String indices = matcher.group(2);
        long[] cell = indices.isEmpty()
                ? new long[0]
                : Arrays.stream(indices.substring(1).split("/"))
                        .mapToLong(Long::parseLong)
                        .toArray();
        return Optional.of(new ChunkPath(matcher.group(1) == null ? "" : matcher.group(1), cell));
    }
}
