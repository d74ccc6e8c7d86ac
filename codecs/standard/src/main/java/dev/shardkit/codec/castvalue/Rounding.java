package dev.shardkit.codec.castvalue;

import java.math.RoundingMode;
import java.util.Arrays;

/** The values of {@code rounding} in the metadata: how to round numbers that the other type cannot represent. */
enum Rounding {
    NEAREST_EVEN("nearest-even", RoundingMode.HALF_EVEN),
    TOWARDS_ZERO("towards-zero", RoundingMode.DOWN),
    TOWARDS_POSITIVE("towards-positive", RoundingMode.CEILING),
    TOWARDS_NEGATIVE("towards-negative", RoundingMode.FLOOR),
    NEAREST_AWAY("nearest-away", RoundingMode.HALF_UP);

    private final String word;
    private final RoundingMode mode;

    Rounding(String word, RoundingMode mode) {
        this.word = word;
        this.mode = mode;
    }

    String word() {
        return word;
    }

    RoundingMode mode() {
        return mode;
    }

    static String[] words() {
        return Arrays.stream(values()).map(Rounding::word).toArray(String[]::new);
    }

    static Rounding of(String word) {
        return Arrays.stream(values())
                .filter(r -> r.word.equals(word))
                .findFirst()
                .orElseThrow();
    }
}
