package dev.shardkit.codec.blosc;

import java.util.Locale;

/** The compressors of blosc; the names are those of the codec's {@code cname} member in lower case. */
public enum Cname {
    /** Fast, with a window of 64 KiB. */
    LZ4(Format.LZ4),
    /** The same format as lz4, searched longer by c-blosc; written here as lz4 is. */
    LZ4HC(Format.LZ4),
    /** Read only. */
    BLOSCLZ(Format.BLOSCLZ),
    /** Small and fairly fast; written at a level that follows {@code clevel}. */
    ZSTD(Format.ZSTD),
    /** Fast, without levels. */
    SNAPPY(Format.SNAPPY),
    /** Small and slow. */
    ZLIB(Format.ZLIB);

    private final Format format;

    Cname(Format format) {
        this.format = format;
    }

    /** Gives the format of its streams. */
    Format format() {
        return format;
    }

    /** Gives the name in metadata. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
