package dev.shardkit.store.reference;

import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Targets that are objects of one store; references name them by key. Immutable and thread-safe. */
final class StoreTargets implements Targets {
    private final Store store;
    private final URI url;
    private final Map<String, String> versions;

    /**
     * Creates targets.
     *
     * @param url the URL of the store; if it has no host, only the store itself can locate objects
     * @param versions the versions that objects must have, by key
     */
    StoreTargets(Store store, URI url, Map<String, String> versions) {
        this.store = store;
        this.url = url;
        this.versions = Map.copyOf(versions);
    }

    @Override
    public Target at(String key) {
        return new Target(store, key, Optional.ofNullable(versions.get(key)));
    }

    @Override
    public Optional<ObjectLocations.Location> place(String key) {
        Optional<ObjectLocations.Location> located =
                store.find(ObjectLocations.class).flatMap(locations -> locations.locate(key));
        if (located.isPresent() || url.getRawAuthority() == null) {
            return located;
        }
        URI escaped = URI.create("./" + UrlTargets.escaped(key));
        return Optional.of(new ObjectLocations.Location(
                UrlTargets.open(url.resolve(escaped).normalize()), 0));
    }

    @Override
    public int maxRequests() {
        return store.reads() instanceof RemoteReads remote ? remote.maxRequests() : 0;
    }

    @Override
    public void close() {
        store.close();
    }
}
