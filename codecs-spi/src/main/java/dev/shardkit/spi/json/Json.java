package dev.shardkit.spi.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value (RFC 8259) that keeps the order of members and the lexemes of numbers, so that {@code 1.10},
 * {@code -0.0} and {@code 18446744073709551615} survive. Immutable. Not a parser: those who read documents fill it.
 */
public sealed interface Json {
    /** An object; members keep their order. */
    record Obj(Map<String, Json> members) implements Json {
        /** Takes a copy of {@code members}. */
        public Obj {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** The member called {@code name}, if there is one. */
        public Optional<Json> get(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /** This object with one member set; an old one of that name keeps its position. */
        public Obj with(String name, Json value) {
            Map<String, Json> copy = new LinkedHashMap<>(members);
            copy.put(name, value);
            return new Obj(copy);
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** A list. */
    record Arr(List<Json> items) implements Json {
        /** Takes a copy of {@code items}. */
        public Arr {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** A string. */
    record Str(String value) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** A number, as it was written. */
    record Num(String lexeme) implements Json {
        /** Checks the form of RFC 8259, section 6. */
        public Num {
            if (!JsonText.isNumber(lexeme)) {
                throw new IllegalArgumentException("not a JSON number: " + lexeme);
            }
        }

        /** Whether it has neither a fraction nor an exponent. */
        public boolean isInteger() {
            return lexeme.indexOf('.') < 0 && lexeme.indexOf('e') < 0 && lexeme.indexOf('E') < 0;
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

    /** An object without members. */
    static Obj object() {
        return new Obj(Map.of());
    }

    /** A string. */
    static Json of(String value) {
        return new Str(value);
    }

    /** An integer. */
    static Json of(long value) {
        return new Num(Long.toString(value));
    }

    /** A truth value. */
    static Json of(boolean value) {
        return new Bool(value);
    }

    /** A list of integers. */
    static Json of(long[] values) {
        List<Json> items = new ArrayList<>(values.length);
        for (long v : values) {
            items.add(of(v));
        }
        return new Arr(items);
    }

    /** What kind of value this is, in the words of RFC 8259, for messages. */
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
