package dev.shardkit.store.reference;

import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Store;
import java.util.Optional;

/** The objects to which references lead. Thread-safe. */
interface Targets extends AutoCloseable {
    /**
     * An object of a store.
     *
     * @param version the version that the object must have; empty for any
     */
    record Target(Store store, String key, Optional<String> version) {}

    /** Returns the object that references name {@code text}, a URL or a key. */
    Target at(String text);

    /** Returns the location by which other programs find the object; empty if it has none. */
    Optional<ObjectLocations.Location> place(String text);

    /** Returns the largest request limit of the open remote stores; 0 if there are none. */
    int maxRequests();

    /** Closes the open stores. */
    @Override
    void close();
}
