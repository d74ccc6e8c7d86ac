package dev.shardkit.registry;

import dev.shardkit.store.Ability;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A store whose location names the format of its nodes, such as {@code n5:https://...}. Passes on all abilities of the
 * store.
 *
 * @param store the store
 * @param format the name of the node format
 */
record NamedFormatStore(Store store, String format) implements Store {
    /** Returns the location of the store behind the name of a format. */
    static URI location(URI named) {
        String text = named.toString();
        String rest = text.substring(text.indexOf(':') + 1);
        if (rest.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return URI.create(rest);
        }
        return Path.of(named.getSchemeSpecificPart())
                .toAbsolutePath()
                .normalize()
                .toUri();
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public Reads reads() {
        return store.reads();
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return store.find(ability);
    }

    @Override
    public void close() {
        store.close();
    }
}
