package dev.shardkit.codec.blosc;

/** The compressed formats a blosc frame can hold, in the order of their codes; lz4 and lz4hc share one. */
enum Format {
    BLOSCLZ(255),
    LZ4(255),
    SNAPPY(32),
    ZLIB(1040),
    ZSTD(1 << 15);

    /** No stream of this format expands by more than this factor (and {@link #SLACK}). */
    private final long maxExpansion;

    private static final long SLACK = 1 << 17;

    Format(long maxExpansion) {
        this.maxExpansion = maxExpansion;
    }

    /** Gives the compressor that is named as the format is. */
    Cname cname() {
        return Cname.valueOf(name());
    }

    /** Says whether so few bytes can be a stream that yields so many. */
    boolean canExpand(long compressed, long decoded) {
        return decoded <= compressed * maxExpansion + (this == ZSTD ? SLACK : 64);
    }
}
