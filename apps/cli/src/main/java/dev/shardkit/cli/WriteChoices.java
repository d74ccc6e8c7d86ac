package dev.shardkit.cli;

import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.codec.WritePolicy.Order;
import dev.shardkit.spi.codec.WritePolicy.Strategy;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Ownership;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of commands that write elements: how shards are changed, and what the write promises. */
final class WriteChoices {
    @Option(
            names = "--strategy",
            paramLabel = "rewrite|in-place|append",
            converter = StrategyConverter.class,
            description =
                    "How existing shards change. rewrite: the object is replaced (default); in-place: changed inner chunks are "
                            + "overwritten; append: they are added at the end.")
    private @Nullable Strategy strategy;

    @Option(
            names = "--order",
            paramLabel = "c|fortran|morton|as-they-come",
            converter = Maintenance.OrderConverter.class,
            description = "The order of inner chunks in shards that are written entirely (default: c).")
    private @Nullable Order order;

    @Option(
            names = "--durability",
            paramLabel = "none|atomic|forced",
            description =
                    "What the written data survives. none: no failure; atomic: a killed process; forced: also a power "
                            + "failure (default).")
    private @Nullable Durability durability;

    @Option(
            names = "--ownership",
            paramLabel = "shared|owned",
            description =
                    "shared: take locks, because other programs may write the same shards (default); owned: take none; no "
                            + "other program writes them.")
    private @Nullable Ownership ownership;

    /** Returns {@code options} with these choices. */
    ZarrOptions in(ZarrOptions options) {
        WritePolicy policy = options.writePolicy();
        policy = strategy != null ? policy.withStrategy(strategy) : policy;
        policy = order != null ? policy.withOrder(order) : policy;
        ZarrOptions chosen = options.withWritePolicy(policy);
        chosen = durability != null ? chosen.withDurability(durability) : chosen;
        return ownership != null ? chosen.withOwnership(ownership) : chosen;
    }

    /** Parses a strategy in its command-line form: {@code in-place}. */
    static final class StrategyConverter implements ITypeConverter<Strategy> {
        @Override
        public Strategy convert(String text) {
            String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
            return Arrays.stream(Strategy.values())
                    .filter(s -> s.name().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("expected rewrite, in-place or append, found " + text));
        }
    }
}
