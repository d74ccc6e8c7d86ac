package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The form of one array's chunk keys, and how prefixes of them become prefixes of shard keys. Immutable.
 *
 * @param prefix what stands before the first index
 * @param separator what stands between indices
 * @param cells how many chunks the array has in each dimension
 * @param per how many chunks a shard has in each dimension
 */
record ShardedArrayKeys(String prefix, char separator, long[] cells, long[] per) {
    int rank() {
        return cells.length;
    }

    /** The chunk (or shard) that {@code key} names. */
    Optional<ChunkKey> parse(String key) {
        return ChunkKey.of(key, rank())
                .filter(c -> c.prefix().equals(prefix) && (rank() < 2 || c.separator() == separator));
    }

    /** The key of the chunk at {@code cell}. */
    String key(long[] cell) {
        return new ChunkKey(prefix, separator, cell).at(cell);
    }

    /** The chunks that the shard at {@code shard} holds of the array. */
    Box available(long[] shard) {
        return all(shard).intersect(Box.of(cells));
    }

    /** All chunks that the shard at {@code shard} has an entry for. */
    Box all(long[] shard) {
        long[] origin = new long[rank()];
        for (int d = 0; d < origin.length; d++) {
            origin[d] = Math.multiplyExact(shard[d], per[d]);
        }
        return Box.of(origin, per);
    }

    /** The keys of the chunks of a shard, by their number in it, that begin with {@code start}. */
    List<Long> startingWith(long[] shard, String start) {
        List<Long> numbers = new ArrayList<>();
        Box chunks = all(shard);
        for (long i = 0; i < chunks.count(); i++) {
            if (key(chunks.at(i)).startsWith(start)) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    /** The number in its shard of the chunk at {@code cell}. */
    long number(long[] cell) {
        long[] within = new long[cell.length];
        for (int d = 0; d < within.length; d++) {
            within[d] = cell[d] % per[d];
        }
        return Shapes.ravel(within, per);
    }

    /** The whole indices that {@code path}, the beginning of a key, holds; empty if it does not reach them. */
    private Optional<long[]> indices(String path) {
        if (!path.startsWith(prefix)) {
            return Optional.empty();
        }
        List<Long> found = new ArrayList<>();
        int at = prefix.length();
        for (int end = path.indexOf(separator, at); end >= 0; end = path.indexOf(separator, at)) {
            Optional<ChunkKey> one = ChunkKey.of(path.substring(at, end), 1)
                    .filter(c -> c.prefix().isEmpty());
            if (one.isEmpty() || found.size() == rank()) {
                return Optional.empty();
            }
            found.add(one.get().cell()[0]);
            at = end + 1;
        }
        return Optional.of(found.stream().mapToLong(Long::longValue).toArray());
    }

    private String join(long[] indices) {
        StringBuilder path = new StringBuilder(prefix);
        for (long index : indices) {
            path.append(index).append(separator);
        }
        return path.toString();
    }

    /** What shard keys begin with whose chunks' keys begin with {@code start}. */
    String shardPrefix(String start) {
        Optional<long[]> indices = indices(start);
        if (indices.isEmpty()) {
            return start;
        }
        long[] shard = indices.get().clone();
        for (int d = 0; d < shard.length; d++) {
            shard[d] /= per[d];
        }
        return join(shard);
    }

    /**
     * The prefixes of chunk keys, one index longer than {@code above}, that a prefix of shard keys stands for; empty if
     * it is none. Not all of them need have chunks.
     */
    Optional<List<String>> chunkPrefixes(String above, String shardPrefix) {
        Optional<long[]> shard = indices(shardPrefix).filter(i -> i.length > 0 && join(i).equals(shardPrefix));
        if (shard.isEmpty()) {
            return Optional.empty();
        }
        int d = shard.get().length - 1;
        long[] indices = Arrays.copyOf(indices(above).orElseGet(() -> new long[0]), d + 1);
        List<String> prefixes = new ArrayList<>();
        long first = Math.multiplyExact(shard.get()[d], per[d]);
        long end = Math.min(first + per[d], cells[d]);
        for (long i = first; i < end; i++) {
            indices[d] = i;
            prefixes.add(join(indices));
        }
        return Optional.of(prefixes);
    }
}
