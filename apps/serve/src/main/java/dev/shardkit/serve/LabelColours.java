package dev.shardkit.serve;

import dev.shardkit.pictures.Colours;
import dev.shardkit.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The colours of labels: those that a label image declares ({@code image-label.colors} of OME-Zarr), and distinct ones
 * for the others. Label 0 is transparent unless it has a declared colour. Immutable.
 */
final class LabelColours {
    private static final int CHANNELS = 4;
    private static final int CHANNELS_OF_PALETTE = 3;
    private static final int MAX = 255;

    private final Map<Double, Integer> declared;
    private final Colours others = Colours.named("labels").orElseThrow();
    private final byte[] palette = others.palette();

    private LabelColours(Map<Double, Integer> declared) {
        this.declared = declared;
    }

    /** Returns the colours that the attributes of a label image declare. Entries that are no colour are left out. */
    static LabelColours of(Json.Obj attributes) {
        Json.Obj ome = object(attributes.get("ome")).orElse(attributes);
        Map<Double, Integer> declared = new HashMap<>();
        for (Json entry : items(object(ome.get("image-label")).flatMap(label -> label.get("colors")))) {
            Optional<Json.Obj> colour = object(Optional.of(entry));
            List<Json> rgba = items(colour.flatMap(c -> c.get("rgba")));
            if (rgba.size() == CHANNELS
                    && colour.flatMap(c -> c.get("label-value")).orElse(null) instanceof Json.Num value
                    && value.isFinite()) {
                int packed = 0;
                for (Json channel : rgba) {
                    packed = packed << 8 | channel(channel);
                }
                declared.put(Double.parseDouble(value.lexeme()) + 0.0, packed);
            }
        }
        return new LabelColours(declared);
    }

    private static Optional<Json.Obj> object(Optional<Json> value) {
        return value.filter(Json.Obj.class::isInstance).map(Json.Obj.class::cast);
    }

    private static List<Json> items(Optional<Json> value) {
        return value.orElse(null) instanceof Json.Arr list ? list.items() : List.of();
    }

    private static int channel(Json value) {
        return value instanceof Json.Num number && number.isFinite()
                ? (int) Math.max(0, Math.min(MAX, Double.parseDouble(number.lexeme())))
                : 0;
    }

    /** Writes red, green, blue and opacity of a label. */
    void put(double label, byte[] pixels, int at) {
        Integer rgba = declared.get(label + 0.0); // -0.0 is 0
        if (rgba != null) {
            for (int i = 0; i < CHANNELS; i++) {
                pixels[at + i] = (byte) (rgba >> 8 * (CHANNELS - 1 - i));
            }
            return;
        }
        int colour = others.of(label, 0, 1) & MAX;
        System.arraycopy(palette, CHANNELS_OF_PALETTE * colour, pixels, at, CHANNELS_OF_PALETTE);
        pixels[at + CHANNELS - 1] = (byte) (colour == 0 ? 0 : MAX);
    }
}
