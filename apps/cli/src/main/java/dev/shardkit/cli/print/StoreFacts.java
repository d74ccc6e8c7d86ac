package dev.shardkit.cli.print;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.ForcesToDevice;
import dev.shardkit.store.Lists;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Prunes;
import dev.shardkit.store.Store;
import dev.shardkit.store.Sweeps;
import dev.shardkit.store.Writes;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a store can do, as {@code info --store} prints it. */
public final class StoreFacts {
    private record Named(String name, Class<? extends Ability> ability) {}

    private StoreFacts() {}

    private static Stream<Named> abilities() {
        return Stream.of(
                new Named("write", Writes.class),
                new Named("list", Lists.class),
                new Named("lock", Locks.class),
                new Named("change in place", Patches.class),
                new Named("copy inside", Copies.class),
                new Named("rename", Moves.class),
                new Named("delete trees", Prunes.class),
                new Named("find leftovers", Sweeps.class),
                new Named("force to the device", ForcesToDevice.class));
    }

    /** Returns the facts. A remote store may write and delete a small object to find out what its server does. */
    public static Json.Obj of(Store store) {
        String can =
                abilities().filter(a -> store.can(a.ability())).map(Named::name).collect(Collectors.joining(", "));
        Json.Obj facts = Json.object()
                .with("store", Json.of(store.describe()))
                .with("reads", Json.of(store.reads() instanceof NearReads ? "local" : "remote"))
                .with("abilities", Json.of(can.isEmpty() ? "none" : can));
        return store.find(Writes.class)
                .map(writes -> facts.with("concurrent_writers", Json.of(writers(store, writes))))
                .orElse(facts);
    }

    private static String writers(Store store, Writes writes) {
        if (store.can(Locks.class)) {
            return "safe, by locks";
        }
        try {
            Set<Condition.Kind> honours = writes.honours();
            boolean safe = honours.contains(Condition.Kind.VERSION) && honours.contains(Condition.Kind.ABSENT);
            return safe
                    ? "safe, by conditional puts"
                    : "not safe: the store ignores or refuses conditions on puts; give each shard one owner";
        } catch (StoreException e) {
            return "unknown: " + e.fact();
        }
    }
}
