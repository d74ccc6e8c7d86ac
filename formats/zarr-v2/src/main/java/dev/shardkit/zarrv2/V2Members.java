package dev.shardkit.zarrv2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Reads and checks the members of a document of Zarr v2, or of an object in it. Errors name the document and the JSON
 * pointer. Immutable.
 *
 * @param object the document or the object
 * @param location the name of the document and, for an object in it, the JSON pointer, for errors
 */
record V2Members(Json.Obj object, String location) {
    private static final BigInteger MAX_LENGTH = BigInteger.valueOf(Long.MAX_VALUE);

    /** The maximum number of characters of a 64-bit integer. */
    private static final int MAX_INTEGER_CHARACTERS = 20;

    static V2Members parse(Json json, String location) {
        if (json instanceof Json.Obj o) {
            return new V2Members(o, location);
        }
        throw Config.expected(location, "an object", json);
    }

    /** Returns the location of a member: {@code .zarray: /chunks}. */
    String at(String name) {
        return location + (location.contains(": /") ? "/" : ": /") + name;
    }

    /** Returns a member; empty if it is missing or {@code null}. */
    Optional<Json> get(String name) {
        return object.get(name).filter(json -> !(json instanceof Json.Null));
    }

    Json required(String name) {
        return object.get(name).orElseThrow(() -> new MetadataException(at(name) + ": is required, but missing"));
    }

    /** Checks the version. Returns a remark if the version is a string; old versions of WEBKNOSSOS wrote one. */
    List<String> checkVersion() {
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

    /** Returns an integer. Accepts decimals like {@code 1.0}. */
    long integer(String name, long defaultValue, long min, long max) {
        Optional<Json> json = get(name);
        if (json.isEmpty()) {
            return defaultValue;
        }
        return parseInteger(json.get())
                .filter(v -> v.compareTo(BigInteger.valueOf(min)) >= 0 && v.compareTo(BigInteger.valueOf(max)) <= 0)
                .map(BigInteger::longValueExact)
                .orElseThrow(() -> Config.expected(at(name), "an integer from " + min + " to " + max, json.get()));
    }

    /**
     * Returns an integer. A string is returned unchanged; the parser of the converted document accepts integers in
     * strings.
     */
    Json number(String name, long defaultValue, long min, long max) {
        return get(name)
                .filter(Json.Str.class::isInstance)
                .orElseGet(() -> Json.of(integer(name, defaultValue, min, max)));
    }

    /** Returns the value of an integer. Accepts zeros after the decimal point. */
    static Optional<BigInteger> parseInteger(Json json) {
        if (!(json instanceof Json.Num n)) {
            return Optional.empty();
        }
        String lexeme = n.lexeme().replaceFirst("\\.0{1,20}$", "");
        return lexeme.length() <= MAX_INTEGER_CHARACTERS && new Json.Num(lexeme).isInteger()
                ? Optional.of(new BigInteger(lexeme))
                : Optional.empty();
    }

    /** Returns the items of {@code json}, the value of member {@code name}, which must be a list. */
    List<Json> list(String name, Json json) {
        if (json instanceof Json.Arr a) {
            return a.items();
        }
        throw Config.expected(at(name), "a list", json);
    }

    /** Returns a list of lengths, such as a shape. */
    long[] lengths(String name) {
        List<Json> items = list(name, required(name));
        long[] lengths = new long[items.size()];
        for (int i = 0; i < lengths.length; i++) {
            Json item = items.get(i);
            String pointer = at(name) + "/" + i;
            lengths[i] = parseInteger(item)
                    .filter(v -> v.signum() >= 0 && v.compareTo(MAX_LENGTH) <= 0)
                    .map(BigInteger::longValueExact)
                    .orElseThrow(() -> Config.expected(pointer, "an integer from 0 to 2^63-1", item));
        }
        return lengths;
    }
}
