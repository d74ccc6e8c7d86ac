package dev.shardkit.maintenance.check;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardRewriting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inner chunks that a repair removes from a shard, which may have nested shards. Immutable.
 *
 * @param here the linear indexes of the removed inner chunks of this shard
 * @param below the removed inner chunks of nested shards, by the linear index of the nested shard
 */
record RemovedChunks(Set<Long> here, Map<Long, RemovedChunks> below) implements ShardRewriting.Kept {
    /** Returns a set of inner chunks. Each path has the cells of one inner chunk at each level, outermost first. */
    static RemovedChunks of(ShardAccess shard, List<List<long[]>> paths) {
        Set<Long> here = new HashSet<>();
        Map<Long, List<List<long[]>>> deeper = new HashMap<>();
        for (List<long[]> path : paths) {
            long number = Shapes.ravel(path.get(0), shard.gridShape());
            if (path.size() == 1) {
                here.add(number);
            } else {
                deeper.computeIfAbsent(number, n -> new ArrayList<>()).add(path.subList(1, path.size()));
            }
        }
        Map<Long, RemovedChunks> below = new HashMap<>();
        deeper.forEach((number, rest) ->
                below.put(number, of(shard.inner().shardAccess().orElseThrow(), rest)));
        return new RemovedChunks(here, below);
    }

    @Override
    public boolean keeps(long number) {
        return !here.contains(number);
    }

    @Override
    public ShardRewriting.Kept inside(long number) {
        return below.containsKey(number) ? below.get(number) : ShardRewriting.Kept.ALL;
    }
}
