/** The store of S3 buckets. */
@SuppressWarnings("module") // javac warns of a name that ends with a digit, but S3 is the name of the service
module dev.shardkit.store.s3 {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.stores;
    requires software.amazon.awssdk.auth;
    requires software.amazon.awssdk.http;
    requires software.amazon.awssdk.http.auth.aws;
    requires software.amazon.awssdk.http.auth.spi;
    requires software.amazon.awssdk.identity.spi;
    requires software.amazon.awssdk.profiles;

    exports dev.shardkit.store.s3;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.s3.S3StoreFactory;
}
