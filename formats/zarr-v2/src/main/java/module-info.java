/** Reads the metadata documents of Zarr v2, so that its nodes open like those of Zarr v3. */
@SuppressWarnings("module") // the digit is the version of Zarr, not of the module
module dev.shardkit.zarrv2 {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.zarrv2;

    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.zarrv2.V2Format;
}
