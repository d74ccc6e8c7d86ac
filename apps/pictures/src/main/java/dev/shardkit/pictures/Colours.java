package dev.shardkit.pictures;

import java.util.Map;
import java.util.Optional;

/**
 * A colour map with a name, such as viridis. Colours 1 to 255 stand for the values between two limits, in order. Colour
 * 0 is transparent, for elements without a value. Immutable.
 */
public final class Colours {
    private static final int COLOURS = 256;
    /** The last colour of a value, counted from 0 for the first one; the palette has it at the next index. */
    private static final int LAST = COLOURS - 2;
    /** 2^64 divided by the golden ratio. Multiplying by it spreads neighbouring labels (Fibonacci hashing). */
    private static final long MIX = 0x9E3779B97F4A7C15L;
    /** Keeps the upper 24 bits of the product, which depend on all bits of the label. */
    private static final int MIX_SHIFT = 40;

    /**
     * The colours at equal distances in each map, as red, green and blue; those between are interpolated. Viridis,
     * magma and diverging are from matplotlib (CC0).
     */
    private static final Map<String, int[]> MAPS = Map.of(
            "gray", new int[] {0x000000, 0xffffff},
            "viridis", new int[] {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725},
            "magma", new int[] {0x000004, 0x51127c, 0xb73779, 0xfc8961, 0xfcfdbf},
            "diverging", new int[] {0x2166ac, 0xf7f7f7, 0xb2182b},
            "labels", new int[] {0xff5555, 0xffff55, 0x55ff55, 0x55ffff, 0x5555ff, 0xff55ff, 0xff5555});

    private final boolean isOfLabels;
    private final byte[] palette = new byte[3 * COLOURS];

    private Colours(String name, int[] stops) {
        this.isOfLabels = name.equals("labels");
        for (int i = 0; i <= LAST; i++) {
            double position = (double) i * (stops.length - 1) / LAST; // between two of the stops
            int below = Math.min((int) position, stops.length - 2);
            for (int channel = 0; channel < 3; channel++) {
                int shift = 16 - 8 * channel;
                int from = stops[below] >> shift & 0xff;
                int to = stops[below + 1] >> shift & 0xff;
                palette[3 * (i + 1) + channel] = (byte) Math.round(from + (position - below) * (to - from));
            }
        }
    }

    /** Returns the map with this name: gray (or grey), viridis, magma, diverging or labels. */
    public static Optional<Colours> named(String name) {
        String known = name.equals("grey") ? "gray" : name;
        return Optional.ofNullable(MAPS.get(known)).map(stops -> new Colours(known, stops));
    }

    /** Returns the bytes red, green and blue of each of the 256 colours. */
    public byte[] palette() {
        return palette.clone();
    }

    /**
     * Returns the index of a value's colour. In the map of labels, colours have no order, so that neighbouring labels
     * differ, and label 0 is transparent.
     *
     * @param black the value of the first colour
     * @param white the value of the last colour
     */
    public byte of(double value, double black, double white) {
        if (Double.isNaN(value) || isOfLabels && value == 0) {
            return 0;
        } else if (isOfLabels) {
            return (byte) (1 + Math.floorMod((long) value * MIX >>> MIX_SHIFT, (long) (LAST + 1)));
        } else if (white <= black) {
            return (byte) (value <= black ? 1 : LAST + 1);
        }
        double share = Math.max(0, Math.min(1, (value - black) / (white - black)));
        return (byte) (1 + Math.round(share * LAST));
    }
}
