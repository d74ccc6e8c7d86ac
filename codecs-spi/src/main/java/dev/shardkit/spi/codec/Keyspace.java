package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Maps keys to sources. A store and a storage transformer (Zarr core specification, section "Storage transformers")
 * have the same interface. Immutable.
 */
public interface Keyspace {
    /** Returns a plan that locates the value of {@code key}; it may read another object to find out. */
    Plan<Source> open(String key);

    /**
     * Returns a plan that turns a change of the value of {@code key} into an edit of the stored object that holds it.
     *
     * @param change creates the edit from the current value
     */
    Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change);

    /**
     * Turns changes of several keys whose values share one stored object (the same {@link #storedKey}) into one edit of
     * that object. Empty, the default, if the changes must be made one after the other.
     *
     * @param changes one for each of {@code keys}, as in {@link #edit}
     */
    default Optional<Plan<Edit>> editTogether(List<String> keys, List<Function<Source, Plan<Edit>>> changes) {
        return Optional.empty();
    }

    /**
     * Returns the key of the stored object that holds the value of {@code key}. Writers lock this object and apply
     * edits to it.
     */
    String storedKey(String key);

    /** Returns the keyspace of a store without storage transformers. */
    static Keyspace stored() {
        return new Keyspace() {
            @Override
            public Plan<Source> open(String key) {
                return Plan.done(Source.stored(key));
            }

            @Override
            public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
                return change.apply(Source.stored(key));
            }

            @Override
            public String storedKey(String key) {
                return key;
            }
        };
    }
}
