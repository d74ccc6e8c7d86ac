package dev.shardkit.store.hadoop;

import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.keys.NestedLocation;
import java.net.URI;

/**
 * Opens {@code hadoop:URL}, for the URL of any file system of Hadoop, such as
 * {@code hadoop:abfss://container@account.dfs.core.windows.net/path}: a {@link HadoopStore} with Hadoop's configuration
 * files. Thread-safe.
 */
public final class HadoopStoreFactory implements StoreFactory {
    private static final String SCHEME = "hadoop";

    /** For {@link java.util.ServiceLoader}. */
    public HadoopStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        String inner = uri.getRawSchemeSpecificPart();
        if (!SCHEME.equalsIgnoreCase(uri.getScheme()) || !NestedLocation.isUrl(inner)) {
            throw new IllegalArgumentException(
                    "expected hadoop:URL, for example hadoop:hdfs://namenode/path, found no URL after "
                            + uri.getScheme() + ":");
        }
        return store(NestedLocation.url(inner, "expected hadoop:URL, found "));
    }

    /** Opens a store, if Hadoop's client is there. */
    static Store store(URI location) {
        try {
            return HadoopStore.at(location);
        } catch (NoClassDefFoundError e) {
            throw new StoreException(
                    "the store at " + location.getScheme() + ": needs Hadoop's client, which is missing: add the jars"
                            + " hadoop-client-api and hadoop-client-runtime to the class path",
                    e);
        }
    }
}
