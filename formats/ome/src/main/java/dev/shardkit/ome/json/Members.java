package dev.shardkit.ome.json;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a JSON object of OME-Zarr metadata. Each read takes the member out, so {@link #others} returns
 * at the end the members that no method has read. The exceptions ({@code MetadataException}) name the node, the path of
 * the member such as {@code multiscales[0].axes}, and the expected and found values. Used by one thread.
 */
public final class Members {
    /** The maximum number of characters of a value that a message shows. */
    private static final int MAX_SHOWN = 60;

    private final String node;
    private final String path;
    private final Map<String, Json> unread;

    private Members(String node, String path, Json.Obj object) {
        this.node = node;
        this.path = path;
        this.unread = new LinkedHashMap<>(object.members());
    }

    /** Creates a reader of the metadata object of a node. */
    public static Members of(String node, Json.Obj object) {
        return new Members(node, "", object);
    }

    /** Returns the location of the group or array, for messages. */
    String node() {
        return node;
    }

    /** Returns the members that were not read. */
    public Json.Obj others() {
        return new Json.Obj(unread);
    }

    /** Returns whether there is a member {@code name} that was not read yet. */
    public boolean has(String name) {
        return unread.containsKey(name);
    }

    private String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Describes a value in a message: lists and objects by their kind, other values as JSON. */
    public static String describe(@Nullable Json value) {
        if (value == null) {
            return "nothing";
        }
        String text = value instanceof Json.Arr || value instanceof Json.Obj ? value.kind() : value.toString();
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    /** Returns an error about the member at a path. */
    public static MetadataException error(String node, String path, String expected, String found) {
        return new MetadataException(
                "OME-Zarr metadata of " + node + ": " + path + ": expected " + expected + ", found " + found);
    }

    /**
     * Checks a path that the metadata contain: it must consist of names separated by single slashes, so that it leads
     * below the node. Throws otherwise.
     *
     * @param node the node with the metadata, for messages
     * @param path the path of the member, for messages
     * @param relativePath the path to check
     * @return {@code relativePath}
     */
    public static String requireBelow(String node, String path, String relativePath) {
        for (String name : relativePath.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw error(node, path, "a path below the group", describe(Json.of(relativePath)));
            }
        }
        return relativePath;
    }

    /** Returns an error about the member {@code name}. */
    public MetadataException error(String name, String expected, String found) {
        return error(node, pathOf(name), expected, found);
    }

    /** Returns a value as {@code type}. Throws if it is of another kind, or null. */
    private <T extends Json> T cast(Class<T> type, String itemPath, String expected, @Nullable Json value) {
        if (!type.isInstance(value)) {
            throw error(node, itemPath, expected, describe(value));
        }
        return type.cast(value);
    }

    private <T extends Json> Optional<T> removeOptional(String name, Class<T> type, String expected) {
        Json value = unread.remove(name);
        return value == null ? Optional.empty() : Optional.of(cast(type, pathOf(name), expected, value));
    }

    private <T extends Json> T remove(String name, Class<T> type, String expected) {
        return cast(type, pathOf(name), expected, unread.remove(name));
    }

    /** Reads a required string. */
    public String string(String name) {
        return remove(name, Json.Str.class, "a string").value();
    }

    /** Reads a string; empty if there is no such member. */
    public Optional<String> optionalString(String name) {
        return removeOptional(name, Json.Str.class, "a string").map(Json.Str::value);
    }

    /** Reads true or false; empty if there is no such member. */
    public Optional<Boolean> optionalBoolean(String name) {
        return removeOptional(name, Json.Bool.class, "true or false").map(Json.Bool::value);
    }

    /** Reads a value of any kind; empty if there is no such member. */
    public Optional<Json> optionalJson(String name) {
        return Optional.ofNullable(unread.remove(name));
    }

    /** Reads a required integer. */
    public long integer(String name) {
        return integer(pathOf(name), remove(name, Json.Num.class, "an integer"));
    }

    /** Reads an integer; empty if there is no such member. */
    public Optional<Long> optionalInteger(String name) {
        return removeOptional(name, Json.Num.class, "an integer").map(number -> integer(pathOf(name), number));
    }

    /** Reads a required number. */
    public double number(String name) {
        return parseFinite(pathOf(name), remove(name, Json.Num.class, "a number"));
    }

    /**
     * Returns a number as an integer. Accepts {@code 3.0} as well as {@code 3}, because some programs write integers
     * so.
     */
    private long integer(String itemPath, Json.Num number) {
        double value = parseFinite(itemPath, number);
        if (value != Math.rint(value) || Math.abs(value) > 1L << 53) {
            throw error(node, itemPath, "an integer up to 2^53", describe(number));
        }
        return (long) value;
    }

    private double parseFinite(String itemPath, Json.Num number) {
        double value = Double.parseDouble(number.lexeme());
        if (!Double.isFinite(value)) {
            throw error(node, itemPath, "a number in the range of 64-bit floats", describe(number));
        }
        return value;
    }

    /** Reads a required list of numbers. */
    public List<Double> numbers(String name) {
        List<Double> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of numbers").items()) {
            String itemPath = pathOf(name) + "[" + values.size() + "]";
            values.add(parseFinite(itemPath, cast(Json.Num.class, itemPath, "a number", item)));
        }
        return List.copyOf(values);
    }

    /** Reads a required list of strings. */
    public List<String> strings(String name) {
        List<String> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of strings").items()) {
            values.add(cast(Json.Str.class, pathOf(name) + "[" + values.size() + "]", "a string", item)
                    .value());
        }
        return List.copyOf(values);
    }

    /** Reads a required object, whose members {@code parser} reads. */
    <T> T object(String name, Function<Members, T> parser) {
        return parser.apply(new Members(node, pathOf(name), remove(name, Json.Obj.class, "an object")));
    }

    /** Reads an object, whose members {@code parser} reads; empty if there is no such member. */
    public <T> Optional<T> optionalObject(String name, Function<Members, T> parser) {
        return unread.containsKey(name) ? Optional.of(object(name, parser)) : Optional.empty();
    }

    /** Reads a required list of objects, whose members {@code parser} reads. */
    public <T> List<T> list(String name, Function<Members, T> parser) {
        List<T> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of objects").items()) {
            String itemPath = pathOf(name) + "[" + values.size() + "]";
            values.add(parser.apply(new Members(node, itemPath, cast(Json.Obj.class, itemPath, "an object", item))));
        }
        return List.copyOf(values);
    }

    /** Reads a list of objects, whose members {@code parser} reads; an empty list if there is no such member. */
    public <T> List<T> optionalList(String name, Function<Members, T> parser) {
        return unread.containsKey(name) ? list(name, parser) : List.of();
    }
}
