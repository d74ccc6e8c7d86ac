package dev.shardkit.serve;

import dev.shardkit.pictures.Colours;
import dev.shardkit.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The colours of labels. A label image may declare colours ({@code image-label.colors} of OME-Zarr); other labels get
 * distinct colours. Label 0 is transparent unless its colour is declared. Immutable.
 */
final class LabelColours {
    /** Red, green, blue and alpha. */
    private static final int CHANNELS = 4;
    /** Red, green and blue. */
    private static final int PALETTE_CHANNELS = 3;

    private static final int MAX_CHANNEL_VALUE = 255;

    /** The declared colours by label: red in the highest byte, alpha in the lowest. */
    private final Map<Double, Integer> declared;

    private final Colours defaultColours = Colours.named("labels").orElseThrow();
    private final byte[] palette = defaultColours.palette();

    private LabelColours(Map<Double, Integer> declared) {
        this.declared = declared;
    }

    /** Returns the colours that the attributes of a label image declare. Ignores entries that are not colours. */
    static LabelColours of(Json.Obj attributes) {
        Json.Obj ome = asObject(attributes.get("ome")).orElse(attributes);
        Map<Double, Integer> declared = new HashMap<>();
        for (Json entry : asList(asObject(ome.get("image-label")).flatMap(label -> label.get("colors")))) {
            Optional<Json.Obj> entryColour = asObject(Optional.of(entry));
            List<Json> rgba = asList(entryColour.flatMap(members -> members.get("rgba")));
            if (rgba.size() == CHANNELS
                    && entryColour
                                    .flatMap(members -> members.get("label-value"))
                                    .orElse(null)
                            instanceof Json.Num value
                    && value.isFinite()) {
                int rgbaBits = 0;
                for (Json channel : rgba) {
                    rgbaBits = rgbaBits << 8 | parseChannel(channel);
                }
                declared.put(Double.parseDouble(value.lexeme()) + 0.0, rgbaBits); // adding 0.0 turns -0.0 into 0.0
            }
        }
        return new LabelColours(declared);
    }

    private static Optional<Json.Obj> asObject(Optional<Json> value) {
        return value.filter(Json.Obj.class::isInstance).map(Json.Obj.class::cast);
    }

    private static List<Json> asList(Optional<Json> value) {
        return value.orElse(null) instanceof Json.Arr list ? list.items() : List.of();
    }

    private static int parseChannel(Json value) {
        return value instanceof Json.Num number && number.isFinite()
                ? (int) Math.max(0, Math.min(MAX_CHANNEL_VALUE, Double.parseDouble(number.lexeme())))
                : 0;
    }

    /** Writes red, green, blue and alpha of a label. */
    void writePixel(double label, byte[] pixels, int offset) {
        Integer rgba = declared.get(label + 0.0); // adding 0.0 turns -0.0 into 0.0
        if (rgba != null) {
            for (int i = 0; i < CHANNELS; i++) {
                pixels[offset + i] = (byte) (rgba >> 8 * (CHANNELS - 1 - i));
            }
            return;
        }
        int paletteIndex = defaultColours.of(label, 0, 1) & MAX_CHANNEL_VALUE;
        System.arraycopy(palette, PALETTE_CHANNELS * paletteIndex, pixels, offset, PALETTE_CHANNELS);
        pixels[offset + CHANNELS - 1] = (byte) (paletteIndex == 0 ? 0 : MAX_CHANNEL_VALUE);
    }
}
