/** Chunk grids beyond the core specification; arrays with a {@code rectilinear} grid need this module. */
module dev.shardkit.grids {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.grid.rectilinear;

    provides dev.shardkit.spi.ChunkGridFactory with
            dev.shardkit.grid.rectilinear.RectilinearGridFactory;
}
