/** Reads arrays in the frames of Blosc2, in files and folders of any store. */
@SuppressWarnings("module") // the digit is part of the format's name, not a version of the module
module dev.shardkit.blosc2 {
    requires dev.shardkit.engine;
    requires dev.shardkit.codecs;
    requires dev.shardkit.stores;

    exports dev.shardkit.blosc2;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.blosc2.Blosc2CodecFactory,
            dev.shardkit.blosc2.FrameCodecFactory;
    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.blosc2.B2ndStoreFactory;
}
