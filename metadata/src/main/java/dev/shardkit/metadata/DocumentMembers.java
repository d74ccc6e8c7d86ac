package dev.shardkit.metadata;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a JSON document, or of an object in it, for the readers of metadata. Errors name a member by its JSON
 * pointer.
 *
 * @param pointer the JSON pointer of the object; empty for the document
 */
record DocumentMembers(Json.Obj object, String pointer) {
    private static final BigInteger MAX_LENGTH = BigInteger.valueOf(Long.MAX_VALUE);

    static DocumentMembers of(Json json, String pointer) {
        if (json instanceof Json.Obj o) {
            return new DocumentMembers(o, pointer);
        }
        throw Config.expected(Pointers.shown(pointer), "an object", json);
    }

    String pointerTo(String name) {
        return Pointers.member(pointer, name);
    }

    Optional<Json> get(String name) {
        return object.get(name);
    }

    Json required(String name) {
        return get(name).orElseThrow(() -> new MetadataException(pointerTo(name) + ": is required, but missing"));
    }

    List<Json> requiredList(String name) {
        return list(name, required(name));
    }

    Optional<List<Json>> list(String name) {
        return get(name).map(json -> list(name, json));
    }

    private List<Json> list(String name, Json json) {
        if (json instanceof Json.Arr a) {
            return a.items();
        }
        throw Config.expected(pointerTo(name), "a list", json);
    }

    Optional<Json.Obj> objectAt(String name) {
        return get(name).map(json -> {
            if (json instanceof Json.Obj o) {
                return o;
            }
            throw Config.expected(pointerTo(name), "an object", json);
        });
    }

    /** Reads lengths: integers from 0 to 2^63-1, without fraction or exponent. */
    long[] requiredLengths(String name) {
        List<Json> items = requiredList(name);
        long[] lengths = new long[items.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = length(items.get(i), pointerTo(name) + "/" + i);
        }
        return lengths;
    }

    private static long length(Json json, String pointer) {
        if (json instanceof Json.Num n && n.isInteger()) {
            BigInteger value = new BigInteger(n.lexeme());
            if (value.signum() >= 0 && value.compareTo(MAX_LENGTH) <= 0) {
                return value.longValueExact();
            }
        }
        throw Config.expected(pointer, "an integer from 0 to 2^63-1 without fraction or exponent", json);
    }

    /**
     * Returns the members that are not in {@code known}. Throws {@code MetadataException} unless each may be ignored.
     */
    Json.Obj otherMembers(Set<String> known) {
        Map<String, Json> otherMembers = new LinkedHashMap<>();
        object.members().forEach((name, value) -> {
            if (!known.contains(name)) {
                checkIgnorable(name, value);
                otherMembers.put(name, value);
            }
        });
        return new Json.Obj(otherMembers);
    }

    /** Rejects an unknown member, unless it says {@code must_understand: false}. */
    private void checkIgnorable(String name, Json value) {
        Optional<Json> flag = value instanceof Json.Obj o ? o.get("must_understand") : Optional.empty();
        if (flag.isPresent() && !(flag.get() instanceof Json.Bool)) {
            throw Config.expected(pointerTo(name) + "/must_understand", "true or false", flag.get());
        }
        if (!flag.equals(Optional.of(new Json.Bool(false)))) {
            throw new UnsupportedException(pointerTo(name)
                    + ": unknown member without \"must_understand\": false, so the document cannot be read");
        }
    }
}
