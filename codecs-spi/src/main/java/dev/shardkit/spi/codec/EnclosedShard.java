package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;

/**
 * Access to a shard that other codecs of its chain surround: array-to-array codecs (stages) or bytes-to-bytes codecs
 * (filters). Filters are decoded before the shard is opened. Immutable.
 */
final class EnclosedShard implements ShardAccess {
    private final ShardAccess shard;
    private final BoundChain chain;
    private final List<BoundArrayToArrayCodec> stages;

    EnclosedShard(ShardAccess shard, BoundChain chain, List<BoundArrayToArrayCodec> stages) {
        this.shard = shard;
        this.chain = chain;
        this.stages = stages;
    }

    @Override
    public Optional<Box> decoded(Box stored) {
        Optional<Box> box = shard.decoded(stored);
        for (int i = stages.size() - 1; i >= 0; i--) {
            Optional<BoundArrayToArrayCodec.View> view = stages.get(i).view();
            box = view.isEmpty() ? Optional.empty() : box.map(view.get()::decode);
        }
        return box;
    }

    @Override
    public Optional<Box> encoded(Box part) {
        Optional<Box> box = Optional.of(part);
        for (BoundArrayToArrayCodec stage : stages) {
            Optional<BoundArrayToArrayCodec.View> view = stage.view();
            box = view.isEmpty() ? Optional.empty() : box.map(view.get()::encode);
        }
        return box.flatMap(shard::encoded);
    }

    @Override
    public boolean isReadWhole() {
        return chain.isFiltered();
    }

    @Override
    public long[] innerShape() {
        return shard.innerShape();
    }

    @Override
    public long[] gridShape() {
        return shard.gridShape();
    }

    @Override
    public ChunkCodec inner() {
        return shard.inner();
    }

    @Override
    public Plan<Source> locate(Source source, long[] cell) {
        return chain.open(source).then(s -> shard.locate(s, cell));
    }

    @Override
    public Plan<Optional<Layout>> layout(Source source) {
        return chain.open(source).then(shard::layout);
    }

    @Override
    public Plan<Optional<Opened>> open(Source source) {
        return chain.open(source).then(shard::open);
    }

    @Override
    public Optional<ShardAssembly> assembly() {
        return chain.isFiltered() ? Optional.empty() : shard.assembly();
    }

    @Override
    public Optional<ShardRewriting> rewriting() {
        return chain.isFiltered() ? shard.rewriting().map(this::filtered) : shard.rewriting();
    }

    /**
     * Returns a rewriting that decodes the filters, rewrites the shard, and encodes it by the filters again. It cannot
     * find the last valid end of a shard, because the filters hide the shard's bytes.
     */
    private ShardRewriting filtered(ShardRewriting rewriting) {
        return (source, policy, kept) -> {
            ShardWritePolicy compact = BoundChain.compact(policy);
            return chain.open(source)
                    .then(s -> rewriting.rewrite(s, compact, kept).then(edit -> chain.refilter(s, edit, compact)));
        };
    }
}
