package dev.shardkit.spi.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value (RFC 8259). It keeps the order of members and the text of numbers, so that {@code 1.10}, {@code -0.0}
 * and {@code 18446744073709551615} survive unchanged. Immutable. {@code toString} returns the compact text. Not a
 * parser: {@code dev.shardkit.metadata.JsonDocuments} parses and formats documents.
 */
public sealed interface Json {
    /** An object; members keep their order. */
    record Obj(Map<String, Json> members) implements Json {
        /** Copies {@code members}. */
        public Obj {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** Returns the member called {@code name}, if there is one. */
        public Optional<Json> get(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /** Returns this object with one member set; a member that is replaced keeps its position. */
        public Obj with(String name, Json value) {
            Map<String, Json> copy = new LinkedHashMap<>(members);
            copy.put(name, value);
            return new Obj(copy);
        }

        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** An array. */
    record Arr(List<Json> items) implements Json {
        /** Copies {@code items}. */
        public Arr {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A string. */
    record Str(String value) implements Json {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /**
     * A number with its original text. JSON lacks {@code NaN}, {@code Infinity} and {@code -Infinity}. This class
     * accepts these three names, because Python writes them into attributes, and prints them as they were read. Use
     * numbers such as {@code new Json.Num("NaN")} in attributes only: readers reject them in the rest of the metadata.
     */
    record Num(String lexeme) implements Json {
        /** Checks the syntax of RFC 8259, section 6, or that the text is one of the three names. */
        public Num {
            if (!JsonWriter.isNumber(lexeme) && !JsonWriter.NON_FINITE.contains(lexeme)) {
                throw new IllegalArgumentException("not a JSON number: " + lexeme);
            }
        }

        /** Returns whether the number is a number of RFC 8259; {@code NaN} and the infinities are not. */
        public boolean isFinite() {
            return !JsonWriter.NON_FINITE.contains(lexeme);
        }

        /** Returns whether the number has neither a fraction nor an exponent. */
        public boolean isInteger() {
            return isFinite() && lexeme.indexOf('.') < 0 && lexeme.indexOf('e') < 0 && lexeme.indexOf('E') < 0;
        }

        @Override
        public String toString() {
            return lexeme;
        }
    }

    /** {@code true} or {@code false}. */
    record Bool(boolean value) implements Json {
        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    /** {@code null}. */
    record Null() implements Json {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** Returns an object without members. */
    static Obj object() {
        return new Obj(Map.of());
    }

    /**
     * Returns an extension (a codec, data type, chunk grid ...) as metadata states it: an object with its name, and its
     * configuration unless the configuration is empty. Codecs of numcodecs always have a configuration, because
     * zarr-python refuses them without one.
     */
    static Obj extension(String name, Obj configuration) {
        Obj named = object().with("name", of(name));
        return configuration.members().isEmpty() && !name.startsWith("numcodecs.")
                ? named
                : named.with("configuration", configuration);
    }

    /** Creates a string. */
    static Json of(String value) {
        return new Str(value);
    }

    /** Creates an integer. */
    static Json of(long value) {
        return new Num(Long.toString(value));
    }

    /**
     * Creates a number with the shortest text that reads back as {@code value}.
     *
     * @throws IllegalArgumentException if it is NaN or infinite, which JSON cannot express; for attributes, which may
     *     have such numbers, see {@link Num}
     */
    static Json of(double value) {
        return JsonConversion.number(value);
    }

    /** Creates an array of the JSON forms of these values; see {@link #of(Map)}. */
    static Arr of(List<?> values) {
        return JsonConversion.array(values);
    }

    /**
     * Creates an object from names and values. Values are strings, numbers, booleans, null, lists, maps with string
     * keys, and {@code Json}, at any depth.
     *
     * @throws IllegalArgumentException if a value is of another class, or a number that is not finite
     */
    static Obj of(Map<String, ?> members) {
        return JsonConversion.object(members);
    }

    /** Creates a boolean. */
    static Json of(boolean value) {
        return new Bool(value);
    }

    /** Creates an array of integers. */
    static Json of(long[] values) {
        List<Json> items = new ArrayList<>(values.length);
        for (long v : values) {
            items.add(of(v));
        }
        return new Arr(items);
    }

    /** Returns the kind of this value for messages, in the terms of RFC 8259. */
    default String kind() {
        if (this instanceof Obj) {
            return "object";
        } else if (this instanceof Arr) {
            return "array";
        } else if (this instanceof Str) {
            return "string";
        } else if (this instanceof Num) {
            return "number";
        }
        return this instanceof Bool ? "boolean" : "null";
    }
}
