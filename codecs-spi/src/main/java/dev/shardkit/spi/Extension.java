package dev.shardkit.spi;

import java.util.Set;

/**
 * A plug-in: found by {@link java.util.ServiceLoader}, by its name. When several claim one name the highest priority
 * wins; a tie is an error when that name is used. Thread-safe.
 */
public interface Extension {
    /** The priority of what comes with shardkit: below every plug-in of others that says nothing. */
    int BUILT_IN = -100;

    /** The priority of a plug-in that does the same with native speed. */
    int NATIVE = 100;

    /** The name in metadata (for stores: the URI scheme). */
    String name();

    /** Other names that are read. Never written, but by a data type that keeps the name its array came with. */
    default Set<String> aliases() {
        return Set.of();
    }

    /** The priority; see above. */
    default int priority() {
        return 0;
    }
}
