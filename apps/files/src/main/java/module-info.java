/** Imports arrays from npy, PNG, TIFF and raw files, and exports arrays to npy, npz, CSV, PNG and TIFF files. */
module dev.shardkit.files {
    requires transitive dev.shardkit.cf;
    requires transitive dev.shardkit.maintenance;
    requires dev.shardkit.pictures;
    requires java.desktop;
    requires java.xml;

    exports dev.shardkit.files;
}
