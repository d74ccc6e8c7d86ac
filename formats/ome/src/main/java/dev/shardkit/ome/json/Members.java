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
 * Reads the members of a JSON object. Errors contain the node, the path of the member ({@code multiscales[0].axes}),
 * and the expected and found values. {@link #others} returns the members that were not read. Used by one thread.
 */
public final class Members {
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

    String node() {
        return node;
    }

    /** Returns the members that were not read. */
    public Json.Obj others() {
        return new Json.Obj(unread);
    }

    public boolean has(String name) {
        return unread.containsKey(name);
    }

    private String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    public static String describe(@Nullable Json value) {
        if (value == null) {
            return "nothing";
        }
        String text = value instanceof Json.Arr || value instanceof Json.Obj ? value.kind() : value.toString();
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    public static MetadataException error(String node, String path, String expected, String found) {
        return new MetadataException(
                "OME-Zarr metadata of " + node + ": " + path + ": expected " + expected + ", found " + found);
    }

    /** Returns a path from metadata, or throws unless it leads below the node: names separated by single slashes. */
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

    public String string(String name) {
        return remove(name, Json.Str.class, "a string").value();
    }

    public Optional<String> optionalString(String name) {
        return removeOptional(name, Json.Str.class, "a string").map(Json.Str::value);
    }

    public Optional<Boolean> optionalBoolean(String name) {
        return removeOptional(name, Json.Bool.class, "true or false").map(Json.Bool::value);
    }

    public Optional<Json> optionalJson(String name) {
        return Optional.ofNullable(unread.remove(name));
    }

    public long integer(String name) {
        return integer(pathOf(name), remove(name, Json.Num.class, "an integer"));
    }

    public Optional<Long> optionalInteger(String name) {
        return removeOptional(name, Json.Num.class, "an integer").map(n -> integer(pathOf(name), n));
    }

    public double number(String name) {
        return parseFinite(pathOf(name), remove(name, Json.Num.class, "a number"));
    }

    /** Accepts {@code 3} and {@code 3.0}, which some programs write. */
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

    public List<Double> numbers(String name) {
        List<Double> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of numbers").items()) {
            String itemPath = pathOf(name) + "[" + values.size() + "]";
            values.add(parseFinite(itemPath, cast(Json.Num.class, itemPath, "a number", item)));
        }
        return List.copyOf(values);
    }

    public List<String> strings(String name) {
        List<String> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of strings").items()) {
            values.add(cast(Json.Str.class, pathOf(name) + "[" + values.size() + "]", "a string", item)
                    .value());
        }
        return List.copyOf(values);
    }

    <T> T object(String name, Function<Members, T> parser) {
        return parser.apply(new Members(node, pathOf(name), remove(name, Json.Obj.class, "an object")));
    }

    public <T> Optional<T> optionalObject(String name, Function<Members, T> parser) {
        return unread.containsKey(name) ? Optional.of(object(name, parser)) : Optional.empty();
    }

    public <T> List<T> list(String name, Function<Members, T> parser) {
        List<T> values = new ArrayList<>();
        for (Json item : remove(name, Json.Arr.class, "an array of objects").items()) {
            String itemPath = pathOf(name) + "[" + values.size() + "]";
            values.add(parser.apply(new Members(node, itemPath, cast(Json.Obj.class, itemPath, "an object", item))));
        }
        return List.copyOf(values);
    }

    /** Returns an empty list if there is no member {@code name}. */
    public <T> List<T> optionalList(String name, Function<Members, T> parser) {
        return unread.containsKey(name) ? list(name, parser) : List.of();
    }
}
