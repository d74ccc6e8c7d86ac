package dev.shardkit.cli.option;

import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Order;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that write elements: how shards change, and which failures written data survives. */
public final class WriteOptions {
    @Option(
            names = "--strategy",
            paramLabel = "rewrite|in-place|append",
            description =
                    "How existing shards change. rewrite: the object is replaced (default); in-place: changed inner chunks are "
                            + "overwritten; append: they are added at the end. Remote stores and archives always rewrite.")
    private @Nullable Strategy strategy;

    @Option(
            names = "--order",
            paramLabel = "c|fortran|morton|as-they-come",
            description = "The order of inner chunks in shards that are written entirely. c: the last "
                    + "dimension changes fastest (default); fortran: the first one does; morton: along a Z curve; "
                    + "as-they-come: stored inner chunks keep their order, and new ones follow.")
    private @Nullable Order order;

    @Option(
            names = "--durability",
            paramLabel = "none|atomic|forced",
            description =
                    "What the written data survives. none: no failure; atomic: a killed process; forced: also a power "
                            + "failure (default). No effect in clouds: a write that has returned survives all of them.")
    private @Nullable Durability durability;

    @Option(
            names = "--ownership",
            paramLabel = "shared|owned",
            description =
                    "shared: other programs may write the same shards, so take locks, or in clouds replace only unchanged "
                            + "objects (default); owned: do neither, because no other program writes them.")
    private @Nullable WriteOwnership ownership;

    /** Returns {@code options} with the values of these options. */
    public ZarrOptions applyTo(ZarrOptions options) {
        ShardWritePolicy policy = options.writePolicy();
        policy = strategy != null ? policy.withStrategy(strategy) : policy;
        policy = order != null ? policy.withOrder(order) : policy;
        ZarrOptions result = options.withWritePolicy(policy);
        result = durability != null ? result.withDurability(durability) : result;
        return ownership != null ? result.withOwnership(ownership) : result;
    }
}
