package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The {@code sharding} storage transformer of the draft of February 2022: a chunk's key is a slice of its shard's
 * value.
 */
record DraftTransformer(long... chunksPerShard) implements StorageTransformer {
    @Override
    public String name() {
        return "sharding";
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("chunks_per_shard", Json.of(chunksPerShard));
    }

    @Override
    public Keyspace over(Keyspace below) {
        IndexFormat index =
                IndexFormat.of(chunksPerShard, Codecs.chain(Codecs.LITTLE), IndexLocation.END, Limits.defaults());
        return new Transformed(Cells.of(chunksPerShard, ones(chunksPerShard.length)), index, below);
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** The cell that a key names, cut into a shard's key and a cell of that shard. */
    private record Address(String shardKey, long[] inShard) {}

    /** The chain of the chunks, which a transformer knows nothing of. */
    private static final ChunkCodec UNKNOWN = Codecs.bind(Model.type(0, 1), Codecs.LITTLE);

    private record Transformed(Cells cells, IndexFormat index, Keyspace below) implements Keyspace {
        private Address address(String key) {
            int at = key.lastIndexOf('c') + 1;
            long[] cell = Arrays.stream(key.substring(at).split("/"))
                    .mapToLong(Long::parseLong)
                    .toArray();
            long[] counts = cells.counts();
            long[] inShard = new long[cell.length];
            for (int d = 0; d < cell.length; d++) {
                inShard[d] = cell[d] % counts[d];
                cell[d] /= counts[d];
            }
            String shard = Arrays.stream(cell).mapToObj(Long::toString).collect(Collectors.joining("/"));
            return new Address(key.substring(0, at) + shard, inShard);
        }

        @Override
        public Plan<Source> open(String key) {
            if (!key.startsWith("data/root")) {
                return below.open(key);
            }
            Address a = address(key);
            return below.open(a.shardKey()).then(shard -> inner(shard, a.inShard()));
        }

        private Plan<Source> inner(Source shard, long[] cell) {
            return index.read(shard).map(found -> source(shard, found, cell));
        }

        private Source source(Source shard, Optional<ShardIndex> found, long[] cell) {
            found.ifPresent(entries -> entries.check(cells.number(cell), cells, shard.place()));
            return found.flatMap(entries -> entries.extent(cells.number(cell)))
                    .map(e -> shard.inner(cell, e.offset(), e.size()))
                    .orElseGet(() -> Source.absent(shard.place().inner(cell)));
        }

        @Override
        public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
            Address a = address(key);
            Box cell = Box.of(a.inShard(), ones(a.inShard().length));
            return below.edit(a.shardKey(), shard -> index.read(shard).then(found -> change.apply(
                            source(shard, found, a.inShard()))
                    .then(edit -> new InnerEdits(
                                    cells, UNKNOWN, index, shard, WritePolicy.defaults(), found, cell, List.of(edit))
                            .plan())));
        }

        @Override
        public String storedKey(String key) {
            return key.startsWith("data/root") ? below.storedKey(address(key).shardKey()) : below.storedKey(key);
        }
    }

    /** A shard made of encoded chunks, for tests. */
    static byte[] shard(long count, List<Optional<byte[]>> chunks) {
        Shards shard = new Shards();
        long[] entries = ShardIndex.noEntries(count);
        for (int i = 0; i < chunks.size(); i++) {
            if (chunks.get(i).isPresent()) {
                entries[2 * i] = shard.size();
                entries[2 * i + 1] = chunks.get(i).get().length;
                shard.bytes(chunks.get(i).get());
            }
        }
        return shard.index(entries).done();
    }
}
