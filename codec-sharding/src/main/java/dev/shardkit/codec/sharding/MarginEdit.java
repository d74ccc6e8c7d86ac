package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardRewriting.Margins;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;

/** Finds and replaces header and footer of a shard. Immutable. */
record MarginEdit(InnerChunkGrid cells, ChunkCodec inner, IndexFormat index, Source shard) {
    /** Finds header and footer; empty if the shard does not exist. */
    Plan<Optional<Margins>> find() {
        return index.read(shard).then(found -> {
            if (found.isEmpty()) {
                return Plan.done(Optional.empty());
            }
            found.get().checkAll(cells.counts(), shard.location());
            return ForeignBytes.locate(shard, index, found.get()).map(foreign -> Optional.of(foreign.margins()));
        });
    }

    /** Replaces header and footer. */
    Plan<Edit> replace(Bytes header, Bytes footer, ShardWritePolicy policy) {
        CallerMargins.check("header", header);
        CallerMargins.check("footer", footer);
        return index.read(shard).then(found -> {
            if (found.isEmpty()) {
                throw new UnsupportedException(
                        "a header or footer needs a stored shard, found none; write elements of it first");
            }
            ShardWritePolicy rewritePolicy = policy.withStrategy(ShardWritePolicy.Strategy.REWRITE)
                    .withOrder(ShardWritePolicy.Order.AS_THEY_COME);
            Box untouched = Box.of(new long[cells.counts().length]);
            InnerEdits edits = new InnerEdits(
                    cells, inner, index, shard, rewritePolicy, found.get(), untouched, List.of(), ForeignBytes.NONE);
            return RewriteStrategy.withMargins(edits, header, footer);
        });
    }
}
