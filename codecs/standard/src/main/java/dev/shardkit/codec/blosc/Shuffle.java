package dev.shardkit.codec.blosc;

import java.util.Locale;

/** The filters of blosc. Their names in lower case are the values of the codec's {@code shuffle} member. */
public enum Shuffle {
    /** No filter. */
    NOSHUFFLE,
    /** Byte shuffle: bytes of equal significance are stored together. */
    SHUFFLE,
    /** Bit shuffle: bits of equal significance are stored together. */
    BITSHUFFLE;

    /** Returns the name in metadata. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the filter for a block of this size: c-blosc 1 does not shuffle blocks of some sizes. */
    Shuffle forBlock(int typesize, int size) {
        boolean isSkipped =
                switch (this) {
                    case NOSHUFFLE -> true;
                    case SHUFFLE -> typesize == 1 || size < typesize;
                    case BITSHUFFLE -> size < typesize || !BitShuffle.applies(typesize, size);
                };
        return isSkipped ? NOSHUFFLE : this;
    }
}
