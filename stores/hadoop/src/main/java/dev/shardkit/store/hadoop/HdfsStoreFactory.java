package dev.shardkit.store.hadoop;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;

/**
 * Opens {@code hdfs://NAMENODE/PATH}: a {@link HadoopStore} with Hadoop's configuration files. Without a name node, as
 * in {@code hdfs:///PATH}, that of {@code fs.defaultFS} is used. Thread-safe.
 */
public final class HdfsStoreFactory implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public HdfsStoreFactory() {}

    @Override
    public String name() {
        return "hdfs";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        return HadoopStoreFactory.store(uri);
    }
}
