package dev.shardkit.codec.support;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnencodableException;

/** On which way a number turned out to have no place in its type, which says whose mistake it is. */
public enum Way {
    /** The caller's elements. */
    ENCODE,
    /** What is stored. */
    DECODE,
    /** The fill value. */
    FILL;

    /** The error for it. */
    public RuntimeException refuse(String fact) {
        return switch (this) {
            case ENCODE -> new UnencodableException(fact);
            case DECODE -> new CorruptDataException(fact);
            case FILL -> new MetadataException(fact + ", the fill value");
        };
    }
}
