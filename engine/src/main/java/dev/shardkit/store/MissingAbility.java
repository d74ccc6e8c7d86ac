package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Map;

/**
 * Creates the {@link UnsupportedException} for a call that needs an ability which the store lacks. Not an exception
 * itself.
 */
final class MissingAbility {
    /** For each ability, the words after "cannot" in the message. */
    private static final Map<Class<? extends Ability>, String> ACTIONS = Map.ofEntries(
            Map.entry(Writes.class, "write objects"),
            Map.entry(BlockingWrites.class, "write objects"),
            Map.entry(Listings.class, "list objects"),
            Map.entry(BlockingListings.class, "list objects"),
            Map.entry(Locks.class, "lock objects"),
            Map.entry(Patches.class, "change objects in place"),
            Map.entry(StagedPuts.class, "stage objects piece by piece"),
            Map.entry(Copies.class, "copy objects"),
            Map.entry(Moves.class, "move objects from another store"),
            Map.entry(DeviceSync.class, "force objects to the device"),
            Map.entry(TreeDeletions.class, "delete all objects below a prefix"),
            Map.entry(LeftoverCleanup.class, "find leftovers of interrupted writers"),
            Map.entry(StoredChecksums.class, "compare objects with checksums"),
            Map.entry(ObjectLocations.class, "tell where objects lie"),
            Map.entry(NameChecks.class, "check names"));

    private MissingAbility() {}

    /**
     * Returns the exception.
     *
     * @param purpose the operation that needs the ability
     */
    static UnsupportedException of(Store store, Class<? extends Ability> ability, String purpose) {
        String action = ACTIONS.getOrDefault(ability, "do what " + ability.getName() + " describes");
        return new UnsupportedException(
                "the store " + store.describe() + " cannot " + action + "; " + purpose + " needs this");
    }
}
