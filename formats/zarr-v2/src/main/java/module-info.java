/** The documents of Zarr v2. */
@SuppressWarnings("module") // the digit is the version of Zarr, not of the module
module dev.shardkit.v2 {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.v2;

    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.v2.V2Format;
}
