package dev.shardkit.cli.print;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.Patches;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes what a store supports, for {@code info --store}. */
public final class StoreDescription {
    /** An ability of stores and its name in the output. */
    private record NamedAbility(String name, Class<? extends Ability> ability) {}

    private StoreDescription() {}

    private static Stream<NamedAbility> abilities() {
        return Stream.of(
                new NamedAbility("write", Writes.class),
                new NamedAbility("list", Listings.class),
                new NamedAbility("lock", Locks.class),
                new NamedAbility("change in place", Patches.class),
                new NamedAbility("stage pieces", StagedPuts.class),
                new NamedAbility("copy inside", Copies.class),
                new NamedAbility("rename", Moves.class),
                new NamedAbility("delete trees", TreeDeletions.class),
                new NamedAbility("find leftovers", LeftoverCleanup.class),
                new NamedAbility("force to the device", DeviceSync.class));
    }

    /** Returns the description. A remote store may write and delete a small object to test its server. */
    public static Json.Obj describe(Store store) {
        String supported = abilities()
                .filter(candidate -> store.can(candidate.ability()))
                .map(NamedAbility::name)
                .collect(Collectors.joining(", "));
        Json.Obj members = Json.object()
                .with("store", Json.of(store.describe()))
                .with("reads", Json.of(store.reads() instanceof LocalReads ? "local" : "remote"))
                .with("abilities", Json.of(supported.isEmpty() ? "none" : supported));
        return store.find(Writes.class)
                .map(writes -> members.with("concurrent_writers", Json.of(describeConcurrentWriters(store, writes))))
                .orElse(members);
    }

    /** Says whether several programs may write to the store at once, and by what means. */
    private static String describeConcurrentWriters(Store store, Writes writes) {
        if (store.can(Locks.class)) {
            return "safe, by locks";
        }
        try {
            Set<Condition.Kind> supportedConditions = writes.honours();
            boolean isSafe = supportedConditions.contains(Condition.Kind.VERSION)
                    && supportedConditions.contains(Condition.Kind.ABSENT);
            return isSafe
                    ? "safe, by conditional puts"
                    : "not safe: the store ignores or refuses conditions on puts; give each shard one owner";
        } catch (StoreException e) {
            return "unknown: " + e.fact();
        }
    }
}
