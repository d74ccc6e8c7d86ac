package dev.shardkit.codec.blosc;

/** The compressed formats a blosc frame can hold, in the order of their codes; lz4 and lz4hc share one. */
enum CompressedFormat {
    BLOSCLZ(255),
    LZ4(255),
    SNAPPY(32),
    ZLIB(1040),
    ZSTD(1 << 15);

    /** The largest factor by which a stream of this format can expand, apart from a constant for short streams. */
    private final long maxExpansion;

    /** The constant of zstd: a block of 128 KiB may take a few bytes. */
    private static final long ZSTD_SLACK = 1 << 17;
    /** The constant of the other formats. */
    private static final long SLACK = 64;

    CompressedFormat(long maxExpansion) {
        this.maxExpansion = maxExpansion;
    }

    /** Returns the compressor with the same name as the format. */
    BloscCompressor cname() {
        return BloscCompressor.valueOf(name());
    }

    /** Returns whether a stream of this size can expand to the given size. */
    boolean canExpand(long compressed, long decoded) {
        return decoded <= compressed * maxExpansion + (this == ZSTD ? ZSTD_SLACK : SLACK);
    }
}
