package dev.shardkit.benchmarks.lab;

import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.store.s3.S3StoreFactory;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The settings with which shardkit takes part in the lab's comparison. The lab treats each as a peer of its own. */
enum ShardkitPeer {
    /** Writes are atomic, and not forced to the disk. Most other libraries guarantee this or less. */
    ATOMIC("shardkit", o -> o.withDurability(Durability.ATOMIC)),
    /** Writes are forced to the disk: the default for users. */
    FORCED("shardkit-forced", o -> o.withDurability(Durability.FORCED)),
    /** Inner chunks are changed in place; a crash may corrupt a shard. */
    IN_PLACE("shardkit-in-place", o -> strategy(o, ShardWritePolicy.Strategy.IN_PLACE)),
    /** Like IN_PLACE, but shardkit is told that it is the only writer, so it needs no locks and no journals. */
    OWNED("shardkit-owned", o -> strategy(o, ShardWritePolicy.Strategy.IN_PLACE).withOwnership(WriteOwnership.OWNED)),
    /** Changed inner chunks are appended to the shard; a crash may corrupt a shard. */
    APPEND("shardkit-append", o -> strategy(o, ShardWritePolicy.Strategy.APPEND)),
    /** Stored objects are promised not to change, so cached values are not revalidated. */
    IMMUTABLE("shardkit-immutable", o -> o.withDurability(Durability.ATOMIC).withImmutableObjects()),
    /** Like ATOMIC; the lab also puts the plug-in of native codecs (codecs/ffm) on the class path. */
    FFM("shardkit-ffm", o -> o.withDurability(Durability.ATOMIC));

    private final String peer;
    private final UnaryOperator<ZarrOptions> change;

    ShardkitPeer(String peer, UnaryOperator<ZarrOptions> change) {
        this.peer = peer;
        this.change = change;
    }

    static ShardkitPeer of(String peer) {
        List<String> known = Arrays.stream(values()).map(ShardkitPeer::peer).toList();
        int at = known.indexOf(peer);
        if (at < 0) {
            throw new IllegalArgumentException("unknown peer " + peer + "; known: " + String.join(", ", known));
        }
        return values()[at];
    }

    String peer() {
        return peer;
    }

    /** Returns the options of shardkit for a job. */
    ZarrOptions options(Job job) {
        ZarrOptions options = change.apply(ZarrOptions.defaults());
        if (!job.cache() && !job.isWrite()) {
            options = options.withCacheBytes(0);
        }
        String endpoint = job.endpoint();
        if (endpoint != null) {
            S3StoreFactory s3 = new S3StoreFactory(builder -> builder.endpoint(URI.create(endpoint)));
            options = options.withRegistry(
                    Registry.builder().all(Registry.load()).store(s3).build());
        }
        return job.parallelism().isPresent()
                ? options.withParallelism(job.parallelism().getAsInt())
                : options;
    }

    private static ZarrOptions strategy(ZarrOptions options, ShardWritePolicy.Strategy strategy) {
        return options.withDurability(Durability.NONE)
                .withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy));
    }
}
