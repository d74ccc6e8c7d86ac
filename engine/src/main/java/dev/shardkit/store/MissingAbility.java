package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Map;

/** The error about an ability that a store lacks. */
final class MissingAbility {
    /** The action of the ability, for messages: the words after "cannot". */
    private static final Map<Class<? extends Ability>, String> DEEDS = Map.ofEntries(
            Map.entry(Writes.class, "write objects"),
            Map.entry(BlockingWrites.class, "write objects"),
            Map.entry(Lists.class, "list objects"),
            Map.entry(BlockingLists.class, "list objects"),
            Map.entry(Locks.class, "lock objects"),
            Map.entry(Patches.class, "change objects in place"),
            Map.entry(Stages.class, "stage objects piece by piece"),
            Map.entry(Copies.class, "copy objects"),
            Map.entry(Moves.class, "move objects from another store"),
            Map.entry(ForcesToDevice.class, "force objects to the device"),
            Map.entry(Prunes.class, "delete all objects below a prefix"),
            Map.entry(Sweeps.class, "find leftovers of interrupted writers"),
            Map.entry(VerifiesChecksums.class, "compare objects with checksums"),
            Map.entry(Locates.class, "tell where objects lie"),
            Map.entry(ChecksNames.class, "check names"));

    private MissingAbility() {}

    static UnsupportedException of(Store store, Class<? extends Ability> ability, String purpose) {
        String deed = DEEDS.getOrDefault(ability, "do what " + ability.getName() + " describes");
        return new UnsupportedException(
                "the store " + store.describe() + " cannot " + deed + "; " + purpose + " needs this");
    }
}
