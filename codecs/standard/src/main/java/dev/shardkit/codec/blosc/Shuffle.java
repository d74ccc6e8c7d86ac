package dev.shardkit.codec.blosc;

import java.util.Locale;

/** The filters of blosc; the names are those of the codec's {@code shuffle} member in lower case. */
public enum Shuffle {
    /** No filter. */
    NOSHUFFLE,
    /** Bytes of like weight side by side. */
    SHUFFLE,
    /** Bits of like weight side by side. */
    BITSHUFFLE;

    /** Gives the name in metadata. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Gives what is done to a block of this size: c-blosc 1 leaves some as they are. */
    Shuffle forBlock(int typesize, int size) {
        boolean idle =
                switch (this) {
                    case NOSHUFFLE -> true;
                    case SHUFFLE -> typesize == 1 || size < typesize;
                    case BITSHUFFLE -> size < typesize || !BitShuffle.applies(typesize, size);
                };
        return idle ? NOSHUFFLE : this;
    }
}
