package dev.shardkit.ome;

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
 * Reads the members of an object. Every error names the node, the member as a path ({@code multiscales[0].axes}), what
 * was expected and what was found. Remembers which members were read; {@link #others} returns the rest. Used by one
 * thread.
 */
final class Members {
    private static final int MAX_SHOWN = 60;

    private final String node;
    private final String place;
    private final Map<String, Json> left;

    private Members(String node, String place, Json.Obj object) {
        this.node = node;
        this.place = place;
        this.left = new LinkedHashMap<>(object.members());
    }

    /** Starts at the object whose members the specification calls the metadata of {@code node}. */
    static Members of(String node, Json.Obj object) {
        return new Members(node, "", object);
    }

    String node() {
        return node;
    }

    /** Returns the members that were not read. */
    Json.Obj others() {
        return new Json.Obj(left);
    }

    boolean has(String name) {
        return left.containsKey(name);
    }

    private String at(String name) {
        return place.isEmpty() ? name : place + "." + name;
    }

    static String shown(@Nullable Json value) {
        if (value == null) {
            return "nothing";
        }
        String text = value instanceof Json.Arr || value instanceof Json.Obj ? value.kind() : value.toString();
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    static MetadataException wrong(String node, String place, String expected, String found) {
        return new MetadataException(
                "OME-Zarr metadata of " + node + ": " + place + ": expected " + expected + ", found " + found);
    }

    /** Returns a path that metadata state if it leads below the node: names separated by single slashes. */
    static String below(String node, String place, String path) {
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw wrong(node, place, "a path below the group", shown(Json.of(path)));
            }
        }
        return path;
    }

    /** Returns an error about the member {@code name}. */
    MetadataException wrong(String name, String expected, String found) {
        return wrong(node, at(name), expected, found);
    }

    private <T extends Json> T as(Class<T> type, String where, String expected, @Nullable Json value) {
        if (!type.isInstance(value)) {
            throw wrong(node, where, expected, shown(value));
        }
        return type.cast(value);
    }

    private <T extends Json> Optional<T> optional(String name, Class<T> type, String expected) {
        Json value = left.remove(name);
        return value == null ? Optional.empty() : Optional.of(as(type, at(name), expected, value));
    }

    private <T extends Json> T required(String name, Class<T> type, String expected) {
        return as(type, at(name), expected, left.remove(name));
    }

    String string(String name) {
        return required(name, Json.Str.class, "a string").value();
    }

    Optional<String> optionalString(String name) {
        return optional(name, Json.Str.class, "a string").map(Json.Str::value);
    }

    Optional<Boolean> optionalBoolean(String name) {
        return optional(name, Json.Bool.class, "true or false").map(Json.Bool::value);
    }

    Optional<Json> optionalJson(String name) {
        return Optional.ofNullable(left.remove(name));
    }

    long integer(String name) {
        return integer(at(name), required(name, Json.Num.class, "an integer"));
    }

    Optional<Long> optionalInteger(String name) {
        return optional(name, Json.Num.class, "an integer").map(n -> integer(at(name), n));
    }

    double number(String name) {
        return finite(at(name), required(name, Json.Num.class, "a number"));
    }

    /** Accepts {@code 3} and {@code 3.0}, which some programs write. */
    private long integer(String where, Json.Num number) {
        double value = finite(where, number);
        if (value != Math.rint(value) || Math.abs(value) > 1L << 53) {
            throw wrong(node, where, "an integer up to 2^53", shown(number));
        }
        return (long) value;
    }

    private double finite(String where, Json.Num number) {
        double value = Double.parseDouble(number.lexeme());
        if (!Double.isFinite(value)) {
            throw wrong(node, where, "a number in the range of 64-bit floats", shown(number));
        }
        return value;
    }

    List<Double> numbers(String name) {
        List<Double> values = new ArrayList<>();
        for (Json item : required(name, Json.Arr.class, "an array of numbers").items()) {
            String where = at(name) + "[" + values.size() + "]";
            values.add(finite(where, as(Json.Num.class, where, "a number", item)));
        }
        return List.copyOf(values);
    }

    List<String> strings(String name) {
        List<String> values = new ArrayList<>();
        for (Json item : required(name, Json.Arr.class, "an array of strings").items()) {
            values.add(as(Json.Str.class, at(name) + "[" + values.size() + "]", "a string", item)
                    .value());
        }
        return List.copyOf(values);
    }

    <T> T object(String name, Function<Members, T> form) {
        return form.apply(new Members(node, at(name), required(name, Json.Obj.class, "an object")));
    }

    <T> Optional<T> optionalObject(String name, Function<Members, T> form) {
        return left.containsKey(name) ? Optional.of(object(name, form)) : Optional.empty();
    }

    <T> List<T> list(String name, Function<Members, T> form) {
        List<T> values = new ArrayList<>();
        for (Json item : required(name, Json.Arr.class, "an array of objects").items()) {
            String where = at(name) + "[" + values.size() + "]";
            values.add(form.apply(new Members(node, where, as(Json.Obj.class, where, "an object", item))));
        }
        return List.copyOf(values);
    }

    /** Returns an empty list if there is no member {@code name}. */
    <T> List<T> optionalList(String name, Function<Members, T> form) {
        return left.containsKey(name) ? list(name, form) : List.of();
    }
}
