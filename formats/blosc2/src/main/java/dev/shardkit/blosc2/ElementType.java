package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of elements, as metadata of Zarr v3 state it. Immutable.
 *
 * @param type the data type
 * @param fill its zero
 * @param endian the byte order of words
 * @param bytes the size of an element in bytes
 */
record ElementType(Json type, Json fill, String endian, int bytes) {
    private static final Pattern NUMPY = Pattern.compile("([<>|=]?)([biufcUmM])([0-9]{1,6})(?:\\[([a-zA-Zμ]+)])?");
    /** The type that c-blosc2 states (B2ND_DEFAULT_DTYPE) if the writing program names none, whatever the size. */
    private static final String DEFAULT = "|u1";

    private static final int LONGEST = 80;

    /** Returns a type of bits without a meaning. */
    static ElementType bits(int bytes) {
        if (bytes == 1) {
            return new ElementType(Json.of("uint8"), Json.of(0), Blosc2Codec.LITTLE, bytes);
        }
        Json zero = new Json.Arr(java.util.Collections.nCopies(bytes, Json.of(0)));
        return new ElementType(Json.of("r" + 8L * bytes), zero, Blosc2Codec.LITTLE, bytes);
    }

    /**
     * Reads a type as numpy spells it, such as {@code <u2}. The default type of c-blosc2 with another size is one of
     * bits.
     *
     * @param format the format of {@code text}; 0 is that of numpy
     * @param typesize the size of an element that the frame states
     */
    static ElementType numpy(long format, String text, int typesize) {
        if (format == 0 && text.equals(DEFAULT)) {
            return bits(typesize);
        }
        Matcher parts = NUMPY.matcher(text);
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        if (format != 0 || !parts.matches()) {
            throw unsupported(shown);
        }
        String endian = parts.group(1).equals(">") ? Blosc2Codec.BIG : Blosc2Codec.LITTLE;
        int size = Integer.parseInt(parts.group(3));
        char kind = parts.group(2).charAt(0);
        int bytes = kind == 'U' ? 4 * size : size;
        if (bytes != typesize) {
            throw new CorruptDataException(
                    "b2nd: expected a data type of " + typesize + " bytes, found \"" + shown + "\"");
        }
        return switch (kind) {
            case 'b' -> known(size == 1, "bool", Json.of(false), endian, shown, bytes);
            case 'i' -> known(List.of(1, 2, 4, 8).contains(size), "int" + 8 * size, Json.of(0), endian, shown, bytes);
            case 'u' -> known(List.of(1, 2, 4, 8).contains(size), "uint" + 8 * size, Json.of(0), endian, shown, bytes);
            case 'f' -> known(List.of(2, 4, 8).contains(size), "float" + 8 * size, Json.of(0), endian, shown, bytes);
            case 'c' -> {
                Json zero = new Json.Arr(List.of(Json.of(0), Json.of(0)));
                yield known(size == 8 || size == 16, "complex" + 8 * size, zero, endian, shown, bytes);
            }
            case 'U' ->
                new ElementType(
                        Json.extension("fixed_length_utf32", Json.object().with("length_bytes", Json.of(bytes))),
                        Json.of(""),
                        endian,
                        bytes);
            default -> throw unsupported(shown);
        };
    }

    private static ElementType known(boolean fits, String name, Json fill, String endian, String shown, int bytes) {
        if (!fits) {
            throw unsupported(shown);
        }
        return new ElementType(Json.of(name), fill, endian, bytes);
    }

    private static UnsupportedException unsupported(String shown) {
        return new UnsupportedException("b2nd: data type \"" + shown + "\" is not supported");
    }
}
