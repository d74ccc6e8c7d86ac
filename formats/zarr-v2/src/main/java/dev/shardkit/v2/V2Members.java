package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** The members of a document or of an object in it. Errors name the document and the JSON pointer. Immutable. */
record V2Members(Json.Obj object, String where) {
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    /** The longest 64-bit integer has this many characters. */
    private static final int LONGEST_INTEGER = 20;

    static V2Members of(Json json, String where) {
        if (json instanceof Json.Obj o) {
            return new V2Members(o, where);
        }
        throw Config.expected(where, "an object", json);
    }

    /** Returns the location of a member: {@code .zarray: /chunks}. */
    String at(String name) {
        return where + (where.contains(": /") ? "/" : ": /") + name;
    }

    /** Returns a member that exists and is not null. */
    Optional<Json> get(String name) {
        return object.get(name).filter(json -> !(json instanceof Json.Null));
    }

    Json required(String name) {
        return object.get(name).orElseThrow(() -> new MetadataException(at(name) + ": is required, but missing"));
    }

    /** Checks the version, and returns a remark if it is text, as WEBKNOSSOS wrote it. */
    List<String> checkFormat() {
        Json format = required("zarr_format");
        if (!format.equals(Json.of(2)) && !format.equals(Json.of("2"))) {
            throw Config.expected(at("zarr_format"), "2", format);
        }
        return format instanceof Json.Str
                ? List.of(at("zarr_format") + ": the text \"2\" is read as the number 2")
                : List.of();
    }

    Optional<String> text(String name) {
        return get(name).map(json -> {
            if (json instanceof Json.Str s) {
                return s.value();
            }
            throw Config.expected(at(name), "a string", json);
        });
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> Config.expected(at(name), "a string", required(name)));
    }

    /** Returns an integer, which may be written as {@code 1.0}. */
    long integer(String name, long otherwise, long least, long most) {
        Optional<Json> json = get(name);
        if (json.isEmpty()) {
            return otherwise;
        }
        return whole(json.get())
                .filter(v -> v.compareTo(BigInteger.valueOf(least)) >= 0 && v.compareTo(BigInteger.valueOf(most)) <= 0)
                .map(BigInteger::longValueExact)
                .orElseThrow(() -> Config.expected(at(name), "an integer from " + least + " to " + most, json.get()));
    }

    /** Returns an integer, or a text, which the reader of the translation takes for an integer if it is one. */
    Json number(String name, long otherwise, long least, long most) {
        return get(name)
                .filter(Json.Str.class::isInstance)
                .orElseGet(() -> Json.of(integer(name, otherwise, least, most)));
    }

    /** Returns the integer value of {@code json}, which may have zeros after the decimal point. */
    static Optional<BigInteger> whole(Json json) {
        if (!(json instanceof Json.Num n)) {
            return Optional.empty();
        }
        String lexeme = n.lexeme().replaceFirst("\\.0{1,20}$", "");
        return lexeme.length() <= LONGEST_INTEGER && new Json.Num(lexeme).isInteger()
                ? Optional.of(new BigInteger(lexeme))
                : Optional.empty();
    }

    List<Json> list(String name, Json json) {
        if (json instanceof Json.Arr a) {
            return a.items();
        }
        throw Config.expected(at(name), "a list", json);
    }

    long[] lengths(String name) {
        List<Json> items = list(name, required(name));
        long[] lengths = new long[items.size()];
        for (int i = 0; i < lengths.length; i++) {
            Json item = items.get(i);
            String pointer = at(name) + "/" + i;
            lengths[i] = whole(item)
                    .filter(v -> v.signum() >= 0 && v.compareTo(LONGEST) <= 0)
                    .map(BigInteger::longValueExact)
                    .orElseThrow(() -> Config.expected(pointer, "an integer from 0 to 2^63-1", item));
        }
        return lengths;
    }
}
