package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The description of a label image (section "labels"). Each element of a label image is a label: the number of an
 * object.
 *
 * @param colors the colours of labels
 * @param properties the properties of labels
 * @param source the path of the image that the labels describe, relative to the label image
 * @param others other members
 */
public record ImageLabel(List<Color> colors, List<Properties> properties, Optional<String> source, Json.Obj others) {
    private static final String VALUE = "label-value";

    /** Copies the lists. */
    public ImageLabel {
        colors = List.copyOf(colors);
        properties = List.copyOf(properties);
    }

    /**
     * The colour of a label.
     *
     * @param value the label
     * @param rgba red, green, blue and alpha, from 0 to 255
     * @param others other members
     */
    public record Color(long value, Optional<List<Integer>> rgba, Json.Obj others) {
        /** Copies {@code rgba}. */
        public Color {
            rgba = rgba.map(List::copyOf);
        }
    }

    /**
     * The properties of a label. The specification does not define their names and values.
     *
     * @param value the label
     * @param others the properties
     */
    public record Properties(long value, Json.Obj others) {}

    /** Creates the metadata of labels without colours. */
    public static ImageLabel of() {
        return new ImageLabel(List.of(), List.of(), Optional.empty(), Json.object());
    }

    /**
     * Creates the metadata of labels without colours.
     *
     * @param source the path of the image that they describe, relative to the label image; {@code ../../} for the image
     *     that contains them in its group {@code labels}
     */
    public static ImageLabel ofImage(String source) {
        return new ImageLabel(List.of(), List.of(), Optional.of(source), Json.object());
    }

    /** Parses the description. */
    static ImageLabel of(Members members) {
        Optional<Json> source = members.optionalJson("source");
        return new ImageLabel(
                members.optionalList("colors", ImageLabel::parseColor),
                members.optionalList("properties", m -> new Properties(m.integer(VALUE), m.others())),
                source.flatMap(ImageLabel::imagePath),
                withSource(members.others(), source.orElse(null)));
    }

    /** Returns the path in the member {@code source}. */
    private static Optional<String> imagePath(Json source) {
        return source instanceof Json.Obj o && o.get("image").orElse(null) instanceof Json.Str s
                ? Optional.of(s.value())
                : Optional.empty();
    }

    /** Keeps the member {@code source} among the others, because it may have more members than the path. */
    private static Json.Obj withSource(Json.Obj others, @Nullable Json source) {
        return source == null ? others : others.with("source", source);
    }

    private static Color parseColor(Members members) {
        Optional<List<Integer>> rgba = Optional.empty();
        long value = members.integer(VALUE);
        if (members.has("rgba")) {
            List<Double> values = members.numbers("rgba");
            if (values.size() != 4 || !values.stream().allMatch(ImageLabel::isByteValue)) {
                throw members.error("rgba", "four integers from 0 to 255", describe(values));
            }
            rgba = Optional.of(values.stream().map(Double::intValue).toList());
        }
        return new Color(value, rgba, members.others());
    }

    private static String describe(List<Double> values) {
        return values.size() == 4 ? values.toString() : values.size() + " numbers";
    }

    private static boolean isByteValue(double value) {
        return value == Math.rint(value) && value >= 0 && value <= 255;
    }

    Json.Obj toJson() {
        Optional<Json> sourceMember = source.map(path -> others.get("source")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElse(Json.object())
                .with("image", Json.of(path)));
        return new MembersWriter()
                .withUnlessEmpty("colors", colors, ImageLabel::toJson)
                .withUnlessEmpty("properties", properties, p -> new MembersWriter()
                        .with(VALUE, Json.of(p.value()))
                        .build(p.others()))
                .with("source", sourceMember)
                .build(others);
    }

    private static Json toJson(Color color) {
        return new MembersWriter()
                .with(VALUE, Json.of(color.value()))
                .with("rgba", color.rgba().map(Json::of))
                .build(color.others());
    }
}
