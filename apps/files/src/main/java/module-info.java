/** Arrays from and to npy, npz, CSV, PNG, TIFF and raw files. */
module dev.shardkit.files {
    requires transitive dev.shardkit.cf;
    requires transitive dev.shardkit.maintenance;
    requires dev.shardkit.pictures;
    requires java.desktop;
    requires java.xml;

    exports dev.shardkit.files;
}
