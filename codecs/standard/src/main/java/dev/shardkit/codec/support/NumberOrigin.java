package dev.shardkit.codec.support;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnencodableException;

/** The origin of a number that its target type cannot represent. It determines the kind of the error. */
public enum NumberOrigin {
    /** From the caller's elements. */
    ENCODE,
    /** From stored data. */
    DECODE,
    /** From the fill value. */
    FILL;

    /** Creates the error. */
    public RuntimeException refuse(String fact) {
        return switch (this) {
            case ENCODE -> new UnencodableException(fact);
            case DECODE -> new CorruptDataException(fact);
            case FILL -> new MetadataException(fact + ", the fill value");
        };
    }
}
