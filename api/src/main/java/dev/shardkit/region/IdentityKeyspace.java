package dev.shardkit.region;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The keyspace of an array without storage transformers: each key is that of the stored object. If the store composes
 * the object of parts, reads go to these parts. Immutable.
 */
public record IdentityKeyspace(Store store) implements Keyspace {
    @Override
    public Plan<Source> open(String key) {
        return Plan.done(source(key));
    }

    @Override
    public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
        // not the parts: the pieces that an edit keeps are ranges of the object itself
        return change.apply(Source.stored(key));
    }

    @Override
    public String storedKey(String key) {
        return key;
    }

    /** Returns the source of an object, or of the parts that it is composed of. */
    private Source source(String key) {
        Optional<List<ObjectPart>> parts = store.reads().parts(key);
        if (parts.isEmpty()) {
            return Source.stored(key);
        }
        DataLocation location = DataLocation.of(key);
        if (parts.get().size() == 1) {
            ObjectPart only = parts.get().get(0);
            if (only instanceof ObjectPart.Literal literal) {
                return Source.of(literal.bytes(), location);
            } else if (only instanceof ObjectPart.Stored s && s.objectSize().isEmpty()) {
                // an object whose size must be checked needs a PartsSource
                return Source.stored(s.key(), s.offset(), s.size(), location);
            }
        }
        return PartsSource.of(parts.get(), location);
    }
}
