package dev.shardkit.store.s3;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;

/** Opens {@code s3://BUCKET/PREFIX}: an {@link S3Store} with the settings of AWS's environment. Thread-safe. */
public final class S3StoreFactory implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public S3StoreFactory() {}

    @Override
    public String name() {
        return "s3";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        return S3Store.at(uri);
    }
}
