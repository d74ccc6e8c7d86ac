package dev.shardkit.codec.castvalue;

import java.util.Locale;

/** How to treat numbers that are out of range for the other type. */
enum OutOfRange {
    REFUSE,
    CLAMP,
    WRAP;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
