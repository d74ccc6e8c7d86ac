package dev.shardkit.spi;

import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads an extension's configuration member by member. Every error message contains the JSON pointer (RFC 6901), the
 * expected value and the value found. {@link #refuseUnread} rejects members that the extension did not read. Not
 * thread-safe; each configuration has its own reader.
 */
public final class Config {
    /**
     * The number of characters of the longest 64-bit integer. Longer text is rejected without parsing, which would take
     * quadratic time.
     */
    private static final int LONGEST_INTEGER = 20;

    private final Json.Obj members;
    private final String pointer;
    private final Extensions extensions;
    private final Set<String> readNames = new HashSet<>();

    /** Creates a reader of {@code members}, which are at {@code pointer} of their document. */
    public Config(Json.Obj members, String pointer, Extensions extensions) {
        this.members = members;
        this.pointer = pointer;
        this.extensions = extensions;
    }

    /** Returns the JSON pointer of this configuration in its document. */
    public String pointer() {
        return pointer;
    }

    /** Returns a member as JSON; empty if it is missing. */
    public Optional<Json> json(String name) {
        readNames.add(name);
        return members.get(name);
    }

    /** Returns an integer from {@code minimum} to {@code maximum}; empty if the member is missing. */
    public OptionalLong integer(String name, long minimum, long maximum) {
        Optional<Json> json = json(name);
        return json.isEmpty() ? OptionalLong.empty() : OptionalLong.of(integer(json.get(), at(name), minimum, maximum));
    }

    /** Returns a required integer from {@code minimum} to {@code maximum}. */
    public long requiredInteger(String name, long minimum, long maximum) {
        return integer(required(name), at(name), minimum, maximum);
    }

    /** Returns a boolean; empty if the member is missing. */
    public Optional<Boolean> bool(String name) {
        return json(name).map(j -> {
            if (j instanceof Json.Bool b) {
                return b.value();
            }
            throw expected(at(name), "true or false", j);
        });
    }

    /** Returns a string that is one of {@code allowed}; empty if the member is missing. */
    public Optional<String> oneOf(String name, String... allowed) {
        return json(name).map(j -> {
            if (j instanceof Json.Str s && List.of(allowed).contains(s.value())) {
                return s.value();
            }
            throw expected(at(name), "one of " + List.of(allowed), j);
        });
    }

    /** Returns a required list of integers from {@code minimum} to {@code maximum}. */
    public long[] requiredIntegers(String name, long minimum, long maximum) {
        if (!(required(name) instanceof Json.Arr list)) {
            throw expected(at(name), "a list of integers", required(name));
        }
        long[] values = new long[list.items().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = integer(list.items().get(i), at(name) + "/" + i, minimum, maximum);
        }
        return values;
    }

    /**
     * Returns a list of codecs; empty if the member is missing. Leaves out unknown codecs with {@code must_understand:
     * false}.
     */
    public Optional<List<Codec>> codecs(String name) {
        return json(name).map(j -> {
            if (!(j instanceof Json.Arr list)) {
                throw expected(at(name), "a list of codecs", j);
            }
            List<Codec> codecs = new ArrayList<>();
            for (int i = 0; i < list.items().size(); i++) {
                extensions
                        .optionalCodec(list.items().get(i), at(name) + "/" + i)
                        .ifPresent(codecs::add);
            }
            return codecs;
        });
    }

    /** Returns the registry that creates nested extensions. */
    public Extensions extensions() {
        return extensions;
    }

    /** Returns the JSON pointer of member {@code name}; a very long name is shortened. */
    public String at(String name) {
        String shown = name.length() > 80 ? name.substring(0, 80) + "..." : name;
        return pointer + "/" + shown.replace("~", "~0").replace("/", "~1");
    }

    /** Rejects members that the extension did not read. */
    public void refuseUnread() {
        for (String name : members.members().keySet()) {
            if (!readNames.contains(name)) {
                throw new MetadataException(
                        at(name) + ": unknown member; known are " + new java.util.TreeSet<>(readNames));
            }
        }
    }

    private Json required(String name) {
        return json(name).orElseThrow(() -> new MetadataException(at(name) + ": is required, but missing"));
    }

    private static long integer(Json json, String pointer, long minimum, long maximum) {
        if (json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= LONGEST_INTEGER) {
            BigInteger value = new BigInteger(n.lexeme());
            if (value.compareTo(BigInteger.valueOf(minimum)) >= 0
                    && value.compareTo(BigInteger.valueOf(maximum)) <= 0) {
                return value.longValueExact();
            }
        }
        String range = maximum == Long.MAX_VALUE
                ? "an integer of at least " + minimum
                : "an integer from " + minimum + " to " + maximum;
        throw expected(pointer, range, json);
    }

    /** Creates the error for a member of the wrong kind or value. */
    public static MetadataException expected(String pointer, String expected, Json found) {
        String text = found.toString();
        String shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
        return new MetadataException(pointer + ": expected " + expected + ", found " + found.kind() + " " + shown);
    }
}
