package dev.shardkit.store.s3;

import dev.shardkit.testkit.server.VersityServer;
import java.net.URI;

/** Stores of the tests' S3 server. */
final class Versity {
    static final AccessKey KEYS = AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY);

    private Versity() {}

    /** Returns a location that is empty. */
    static URI fresh() {
        return URI.create(
                "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20"));
    }

    /** Returns a builder for a store of the server. */
    static S3StoreBuilder builder(URI location) {
        return S3Store.builder(location)
                .endpoint(VersityServer.server())
                .credentials(KEYS)
                .region("us-east-1");
    }
}
