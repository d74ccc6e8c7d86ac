package dev.shardkit.store.reference;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.keys.NestedLocation;
import java.io.IOException;
import java.net.URI;
import java.util.function.Function;

/**
 * Opens {@code reference:DOCUMENT!PATH#allow=URL&allow=URL}: a {@link ReferenceStore} of the document (a URL or a
 * path), below {@code PATH} (default: all of it). Its references may lead to its own folder or host, and below each
 * {@code URL} ({@code *}: anywhere). Thread-safe.
 */
public final class ReferenceStoreFactory implements StoreFactory {
    static final String SCHEME = "reference";

    /** Creates the factory; called by {@link java.util.ServiceLoader}. */
    public ReferenceStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Throws always: only a registry can open the stores of the references. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a store of references with a registry or with ReferenceStore");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        NestedLocation location = NestedLocation.of(uri);
        String document = location.outer();
        if (!SCHEME.equalsIgnoreCase(uri.getScheme()) || document.isEmpty()) {
            throw new IllegalArgumentException("expected reference:DOCUMENT!PATH, found " + uri.getScheme() + ":...");
        }
        ReferenceStore.Builder builder =
                ReferenceStore.builder(document(document), others).below(location.inner());
        for (String url : NestedLocation.allowed(uri, "expected #allow=URL after the document's location")) {
            if (url.equals(AllowedUrls.ANYWHERE)) {
                builder.allowAnywhere();
            } else {
                builder.allow(document(url));
            }
        }
        return builder.open();
    }

    private static URI document(String text) {
        return NestedLocation.urlOrPath(text, "expected the URL of a document, found ");
    }
}
