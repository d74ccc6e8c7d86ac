/** Reads HDF5 and NetCDF4 files of any store as groups and arrays. */
@SuppressWarnings("module") // the digit is part of the format's name, not a version of the module
module dev.shardkit.hdf5 {
    requires dev.shardkit.engine;
    requires dev.shardkit.codecs;
    requires dev.shardkit.codecs.numcodecs;
    requires dev.shardkit.stores;

    exports dev.shardkit.hdf5;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Bitshuffle,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Lz4,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Lzf,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Masked,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Numbers,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Packed,
            dev.shardkit.hdf5.codec.Hdf5CodecFactories.Scaled,
            dev.shardkit.hdf5.codec.UnsupportedFilterCodec;
    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.hdf5.Hdf5StoreFactory;
}
