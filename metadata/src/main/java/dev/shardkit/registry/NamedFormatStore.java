package dev.shardkit.registry;

import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Store;
import java.net.URI;
import java.nio.file.Path;

/**
 * A store whose location names the format of its nodes, such as {@code n5:https://...}. Passes on all abilities of the
 * store.
 */
final class NamedFormatStore extends ForwardingStore {
    private final String format;

    NamedFormatStore(Store store, String format) {
        super(store);
        this.format = format;
    }

    /** Returns the name of the node format. */
    String format() {
        return format;
    }

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
}
