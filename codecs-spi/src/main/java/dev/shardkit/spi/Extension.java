package dev.shardkit.spi;

import java.util.Set;

/**
 * A plug-in, which {@link java.util.ServiceLoader} finds and metadata selects by name. If several plug-ins claim a
 * name, the one with the highest priority wins; equal priorities are an error when the name is used. Thread-safe.
 */
public interface Extension {
    /** The priority of shardkit's own extensions: below the default of other plug-ins. */
    int BUILT_IN = -100;

    /** The priority of plug-ins that replace a Java implementation by a faster native one. */
    int NATIVE = 100;

    /** Returns the name in metadata (for stores: the URI scheme). */
    String name();

    /**
     * Returns other names that metadata may use. They are read but not written, except that a data type keeps the name
     * its array was stored with.
     */
    default Set<String> aliases() {
        return Set.of();
    }

    /** Returns the priority; see {@link Extension}. */
    default int priority() {
        return 0;
    }
}
