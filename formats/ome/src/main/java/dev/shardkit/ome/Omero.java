package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * How to show the channels of an image (section "omero").
 *
 * @param channels one for each index of the channel axis
 * @param others the members that this class does not know
 */
public record Omero(List<Channel> channels, Json.Obj others) {
    /** Copies {@code channels}. */
    public Omero {
        channels = List.copyOf(channels);
    }

    /**
     * A channel.
     *
     * @param color the colour as six hexadecimal digits, such as {@code FF0000} for red
     * @param active whether viewers show the channel at first
     * @param others the members that this class does not know
     */
    public record Channel(
            Optional<String> label,
            Optional<String> color,
            Optional<Boolean> active,
            Optional<Window> window,
            Json.Obj others) {}

    /**
     * The values of elements that viewers show.
     *
     * @param start the value that is shown black
     * @param end the value that is shown in full colour
     * @param min the least value that a viewer offers for {@code start}
     * @param max the greatest value that a viewer offers for {@code end}
     * @param others the members that this class does not know
     */
    public record Window(double start, double end, double min, double max, Json.Obj others) {}

    static Omero of(Members members) {
        return new Omero(members.list("channels", Omero::channel), members.others());
    }

    private static Channel channel(Members members) {
        return new Channel(
                members.optionalString("label"),
                members.optionalString("color"),
                members.optionalBoolean("active"),
                members.optionalObject("window", Omero::window),
                members.others());
    }

    private static Window window(Members members) {
        return new Window(
                members.number("start"),
                members.number("end"),
                members.number("min"),
                members.number("max"),
                members.others());
    }

    Json.Obj json() {
        return new MembersWriter().with("channels", channels, Omero::json).and(others);
    }

    private static Json json(Channel channel) {
        return new MembersWriter()
                .with("label", channel.label().map(Json::of))
                .with("color", channel.color().map(Json::of))
                .with("active", channel.active().map(Json::of))
                .with("window", channel.window().map(Omero::json))
                .and(channel.others());
    }

    private static Json json(Window window) {
        return new MembersWriter()
                .with("start", Json.of(window.start()))
                .with("end", Json.of(window.end()))
                .with("min", Json.of(window.min()))
                .with("max", Json.of(window.max()))
                .and(window.others());
    }
}
