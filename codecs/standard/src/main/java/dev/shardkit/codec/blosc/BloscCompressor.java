package dev.shardkit.codec.blosc;

import java.util.Locale;

/** The compressors of blosc. Their names in lower case are the values of the codec's {@code cname} member. */
public enum BloscCompressor {
    /** Fast, with a window of 64 KiB. */
    LZ4(CompressedFormat.LZ4),
    /** The same format as lz4, for which c-blosc searches longer; shardkit writes it like lz4. */
    LZ4HC(CompressedFormat.LZ4),
    /** Supported for reading only. */
    BLOSCLZ(CompressedFormat.BLOSCLZ),
    /** A good ratio and fairly fast; {@code clevel} determines the level. */
    ZSTD(CompressedFormat.ZSTD),
    /** Fast, without levels. */
    SNAPPY(CompressedFormat.SNAPPY),
    /** A good ratio, but slow. */
    ZLIB(CompressedFormat.ZLIB);

    private final CompressedFormat format;

    BloscCompressor(CompressedFormat format) {
        this.format = format;
    }

    /** Returns the format of the compressor's streams. */
    CompressedFormat format() {
        return format;
    }

    /** Returns the name in metadata. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
