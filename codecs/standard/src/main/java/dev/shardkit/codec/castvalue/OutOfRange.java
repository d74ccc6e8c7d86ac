package dev.shardkit.codec.castvalue;

import java.util.Locale;

/** What becomes of numbers that are too large for the other type. */
enum OutOfRange {
    REFUSE,
    CLAMP,
    WRAP;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
