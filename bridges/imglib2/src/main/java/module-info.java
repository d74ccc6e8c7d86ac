/** Arrays as images of ImgLib2. */
@SuppressWarnings("module") // the name of the library ends with a digit
module dev.shardkit.imglib2 {
    requires transitive dev.shardkit;
    requires transitive net.imglib2;

    exports dev.shardkit.imglib2;
}
