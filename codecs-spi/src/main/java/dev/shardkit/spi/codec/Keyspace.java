package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keys to sources. A store and a storage transformer (Zarr core specification, section "Storage transformers") look the
 * same from above. Immutable.
 */
public interface Keyspace {
    /** What lies under {@code key}; perhaps another object has to be read to know. */
    Plan<Source> open(String key);

    /**
     * A change of what lies under {@code key}, as a change of the object that is really stored.
     *
     * @param change makes the edit when it is given what lies there now
     */
    Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change);

    /**
     * Changes of several keys whose values lie in one stored object (all have one {@link #storedKey}), as one change of
     * it. Empty, the default, if they can only be made one after the other.
     *
     * @param changes one for each of {@code keys}, as in {@link #edit}
     */
    default Optional<Plan<Edit>> editTogether(List<String> keys, List<Function<Source, Plan<Edit>>> changes) {
        return Optional.empty();
    }

    /**
     * The key of the object that is really stored for {@code key}: what is locked, and what an edit is carried out on.
     */
    String storedKey(String key);

    /** Keys as the store has them. */
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
