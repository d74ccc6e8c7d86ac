package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The display settings of an image (section "omero", named after the OMERO server, whose settings they are).
 *
 * @param channels the settings of each channel, in the order of the channel axis
 * @param others members that the specification does not define
 */
public record Omero(List<Channel> channels, Json.Obj others) {
    /** Copies {@code channels}. */
    public Omero {
        channels = List.copyOf(channels);
    }

    /**
     * The settings of a channel.
     *
     * @param label the name of the channel
     * @param color the colour as six hexadecimal digits, such as {@code FF0000} for red
     * @param active whether viewers initially show the channel
     * @param window the displayed range of values
     * @param others other members
     */
    public record Channel(
            Optional<String> label,
            Optional<String> color,
            Optional<Boolean> active,
            Optional<Window> window,
            Json.Obj others) {}

    /**
     * The range of values that viewers show.
     *
     * @param start the value that is shown black
     * @param end the value that is shown in full colour
     * @param min the minimum that a viewer offers for {@code start}
     * @param max the maximum that a viewer offers for {@code end}
     * @param others other members
     */
    public record Window(double start, double end, double min, double max, Json.Obj others) {}

    static Omero parse(Members members) {
        return new Omero(members.list("channels", Omero::parseChannel), members.others());
    }

    private static Channel parseChannel(Members members) {
        return new Channel(
                members.optionalString("label"),
                members.optionalString("color"),
                members.optionalBoolean("active"),
                members.optionalObject("window", Omero::parseWindow),
                members.others());
    }

    private static Window parseWindow(Members members) {
        return new Window(
                members.number("start"),
                members.number("end"),
                members.number("min"),
                members.number("max"),
                members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter().with("channels", channels, Omero::toJson).build(others);
    }

    private static Json toJson(Channel channel) {
        return new MembersWriter()
                .with("label", channel.label().map(Json::of))
                .with("color", channel.color().map(Json::of))
                .with("active", channel.active().map(Json::of))
                .with("window", channel.window().map(Omero::toJson))
                .build(channel.others());
    }

    private static Json toJson(Window window) {
        return new MembersWriter()
                .with("start", Json.of(window.start()))
                .with("end", Json.of(window.end()))
                .with("min", Json.of(window.min()))
                .with("max", Json.of(window.max()))
                .build(window.others());
    }
}
