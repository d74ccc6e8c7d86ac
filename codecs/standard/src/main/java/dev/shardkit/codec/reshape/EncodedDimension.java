package dev.shardkit.codec.reshape;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.json.Json;

/**
 * A member of {@code shape} in the configuration of the {@code reshape} codec. It defines the length of one encoded
 * dimension.
 */
sealed interface EncodedDimension {
    /** A fixed length. */
    record Length(long length) implements EncodedDimension {}

    /** The product of the lengths of these decoded dimensions. */
    record Of(long[] dimensions) implements EncodedDimension {}

    /** The length that follows from the other dimensions and the number of elements. */
    record Rest() implements EncodedDimension {}

    /** Returns the form in the configuration. */
    default Json json() {
        return this instanceof Length l
                ? Json.of(l.length())
                : this instanceof Of o ? Json.of(o.dimensions()) : Json.of(-1);
    }

    /** Parses a length, a list of decoded dimensions, or -1. */
    static EncodedDimension parse(Json json, String location) {
        if (json instanceof Json.Arr list) {
            long[] dimensions = new long[list.items().size()];
            for (int i = 0; i < dimensions.length; i++) {
                dimensions[i] = integer(list.items().get(i));
                if (dimensions[i] < 0) {
                    throw Config.expected(
                            location + "/" + i, "a dimension", list.items().get(i));
                }
            }
            return new Of(dimensions);
        }
        long length = integer(json);
        if (length > 0) {
            return new Length(length);
        } else if (json.equals(Json.of(-1))) {
            return new Rest();
        }
        throw Config.expected(location, "a length, a list of dimensions or -1", json);
    }

    /** Returns a nonnegative integer; -1 for other values. */
    private static long integer(Json json) {
        return json instanceof Json.Num n && n.lexeme().matches("[0-9]{1,18}") ? Long.parseLong(n.lexeme()) : -1;
    }
}
