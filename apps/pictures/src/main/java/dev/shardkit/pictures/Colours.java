package dev.shardkit.pictures;

import java.util.Map;
import java.util.Optional;

/**
 * A colour map: 255 colours for values from black to white point, and colour 0, which is transparent, for elements
 * without a value. Immutable.
 */
public final class Colours {
    private static final int COLOURS = 256;
    private static final int LAST = COLOURS - 2;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int MIX_SHIFT = 40;

    /** Colours at equal distances; those between are interpolated. The second to fourth are matplotlib's (CC0). */
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
            double at = (double) i * (stops.length - 1) / LAST;
            int below = Math.min((int) at, stops.length - 2);
            for (int channel = 0; channel < 3; channel++) {
                int shift = 16 - 8 * channel;
                int from = stops[below] >> shift & 0xff;
                int to = stops[below + 1] >> shift & 0xff;
                palette[3 * (i + 1) + channel] = (byte) Math.round(from + (at - below) * (to - from));
            }
        }
    }

    /** Returns the map with this name: gray (or grey), viridis, magma, diverging or labels. */
    public static Optional<Colours> named(String name) {
        String known = name.equals("grey") ? "gray" : name;
        return Optional.ofNullable(MAPS.get(known)).map(stops -> new Colours(known, stops));
    }

    /** Returns red, green and blue of 256 colours. */
    public byte[] palette() {
        return palette.clone();
    }

    /**
     * Returns the colour of a value. Labels have distinct colours instead of an order, and label 0 is transparent.
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
