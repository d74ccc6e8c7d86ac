package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the elements of a label image mean (section "labels"): each element is the number of the object that it belongs
 * to.
 *
 * @param source the path of the image that the labels describe, relative to the label image
 * @param others the members that this class does not know
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
     * @param rgba red, green, blue and opacity, from 0 to 255
     * @param others the members that this class does not know
     */
    public record Color(long value, Optional<List<Integer>> rgba, Json.Obj others) {
        /** Copies {@code rgba}. */
        public Color {
            rgba = rgba.map(List::copyOf);
        }
    }

    /**
     * Further facts about a label, with any names.
     *
     * @param others the facts
     */
    public record Properties(long value, Json.Obj others) {}

    /** Creates the metadata of labels without colours. */
    public static ImageLabel of() {
        return new ImageLabel(List.of(), List.of(), Optional.empty(), Json.object());
    }

    /**
     * Creates the metadata of labels without colours.
     *
     * @param source the path of the image that they describe, relative to the label image: {@code ../../} for the image
     *     whose group {@code labels} holds them
     */
    public static ImageLabel ofImage(String source) {
        return new ImageLabel(List.of(), List.of(), Optional.of(source), Json.object());
    }

    static ImageLabel of(Members members) {
        Optional<Json> source = members.optionalJson("source");
        return new ImageLabel(
                members.optionalList("colors", ImageLabel::color),
                members.optionalList("properties", m -> new Properties(m.integer(VALUE), m.others())),
                source.flatMap(ImageLabel::image),
                withSource(members.others(), source.orElse(null)));
    }

    private static Optional<String> image(Json source) {
        return source instanceof Json.Obj o && o.get("image").orElse(null) instanceof Json.Str s
                ? Optional.of(s.value())
                : Optional.empty();
    }

    private static Json.Obj withSource(Json.Obj others, @Nullable Json source) {
        return source == null ? others : others.with("source", source);
    }

    private static Color color(Members members) {
        Optional<List<Integer>> rgba = Optional.empty();
        long value = members.integer(VALUE);
        if (members.has("rgba")) {
            List<Double> numbers = members.numbers("rgba");
            if (numbers.size() != 4 || !numbers.stream().allMatch(ImageLabel::isByte)) {
                throw members.wrong("rgba", "four integers from 0 to 255", shown(numbers));
            }
            rgba = Optional.of(numbers.stream().map(Double::intValue).toList());
        }
        return new Color(value, rgba, members.others());
    }

    private static String shown(List<Double> numbers) {
        return numbers.size() == 4 ? numbers.toString() : numbers.size() + " numbers";
    }

    private static boolean isByte(double value) {
        return value == Math.rint(value) && value >= 0 && value <= 255;
    }

    Json.Obj json() {
        Optional<Json> image = source.map(s -> others.get("source")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElse(Json.object())
                .with("image", Json.of(s)));
        return new MembersWriter()
                .withSome("colors", colors, ImageLabel::json)
                .withSome("properties", properties, p -> new MembersWriter()
                        .with(VALUE, Json.of(p.value()))
                        .and(p.others()))
                .with("source", image)
                .and(others);
    }

    private static Json json(Color color) {
        return new MembersWriter()
                .with(VALUE, Json.of(color.value()))
                .with("rgba", color.rgba().map(Json::of))
                .and(color.others());
    }
}
