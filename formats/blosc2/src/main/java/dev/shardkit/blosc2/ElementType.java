package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.Collections;
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
    private static final Pattern NUMPY = Pattern.compile(
            "([<>|=]?)([biufcUSVmM])([0-9]{1,6})" + "(?:\\[([0-9]{0,9})(Y|M|W|D|h|m|s|ms|us|\u03bcs|ns|ps|fs|as)])?");
    /** NumPy prints this for bool in a record. */
    private static final Pattern BOOL = Pattern.compile("[|=<>]?\\?");

    /** The type that c-blosc2 states (B2ND_DEFAULT_DTYPE) if the writing program names none, whatever the size. */
    private static final String DEFAULT = "|u1";

    private static final int CODE_POINT = 4;
    private static final int LONGEST = 80;

    /** Returns a type of bits without a meaning. */
    static ElementType bits(int bytes) {
        if (bytes == 1) {
            return new ElementType(Json.of("uint8"), Json.of(0), Blosc2Codec.LITTLE, bytes);
        }
        return new ElementType(Json.of("r" + 8L * bytes), zeros(bytes), Blosc2Codec.LITTLE, bytes);
    }

    /**
     * Reads a type as numpy spells it, such as {@code <u2} or {@code [('x', '<f4'), ('y', 'S3')]}. The default type of
     * c-blosc2 with another size is one of bits.
     *
     * @param format the format of {@code text}; 0 is that of numpy
     * @param typesize the size of an element that the frame states
     */
    static ElementType numpy(long format, String text, int typesize) {
        if (format != 0) {
            throw unsupported(text);
        }
        if (text.equals(DEFAULT)) {
            return bits(typesize);
        }
        ElementType type = text.startsWith("[") ? NumpyRecordType.type(text, typesize) : plain(text, typesize);
        if (type.bytes != typesize) {
            throw otherSize(typesize, text);
        }
        return type;
    }

    /** Returns the failure of a type whose size is not the one that the frame states. */
    static CorruptDataException otherSize(int typesize, String text) {
        return new CorruptDataException(
                "b2nd: expected a data type of " + typesize + " bytes, found \"" + shown(text) + "\"");
    }

    /**
     * Reads a type without fields.
     *
     * @param most the largest size in bytes; nothing is allocated for a larger one
     */
    static ElementType plain(String text, int most) {
        if (BOOL.matcher(text).matches()) {
            return new ElementType(Json.of("bool"), Json.of(false), Blosc2Codec.LITTLE, 1);
        }
        Matcher parts = NUMPY.matcher(text);
        char kind = parts.matches() ? parts.group(2).charAt(0) : ' ';
        boolean isTime = kind == 'M' || kind == 'm';
        if (kind == ' ' || parts.group(5) != null && !isTime) {
            throw unsupported(text);
        }
        String endian = parts.group(1).equals(">") ? Blosc2Codec.BIG : Blosc2Codec.LITTLE;
        int size = Integer.parseInt(parts.group(3));
        if (size > most) {
            throw new CorruptDataException(
                    "b2nd: expected a data type of at most " + most + " bytes, found \"" + shown(text) + "\"");
        }
        return switch (kind) {
            case 'b' -> known(size == 1, "bool", Json.of(false), endian, text, size);
            case 'i' -> known(List.of(1, 2, 4, 8).contains(size), "int" + 8 * size, Json.of(0), endian, text, size);
            case 'u' -> known(List.of(1, 2, 4, 8).contains(size), "uint" + 8 * size, Json.of(0), endian, text, size);
            case 'f' -> known(List.of(2, 4, 8).contains(size), "float" + 8 * size, Json.of(0), endian, text, size);
            case 'c' -> {
                Json zero = new Json.Arr(List.of(Json.of(0), Json.of(0)));
                yield known(size == 8 || size == 16, "complex" + 8 * size, zero, endian, text, size);
            }
            case 'U' -> sized("fixed_length_utf32", CODE_POINT * size, endian, text);
            case 'S' -> sized("null_terminated_bytes", size, endian, text);
            case 'V' -> raw(size, text);
            default -> time(parts, size, endian, text);
        };
    }

    /** Returns a type of elements with this many bytes, whose fill value is an empty text. */
    private static ElementType sized(String name, int bytes, String endian, String text) {
        if (bytes == 0) {
            throw unsupported(text);
        }
        Json.Obj length = Json.object().with("length_bytes", Json.of(bytes));
        return new ElementType(Json.extension(name, length), Json.of(""), endian, bytes);
    }

    private static ElementType raw(int bytes, String text) {
        if (bytes == 0) {
            throw unsupported(text);
        }
        return new ElementType(Json.of("r" + 8L * bytes), zeros(bytes), Blosc2Codec.LITTLE, bytes);
    }

    /** Returns datetimes or durations; a type without a unit has steps of no stated length. */
    private static ElementType time(Matcher parts, int size, String endian, String text) {
        if (size != Long.BYTES) {
            throw unsupported(text);
        }
        String factor = parts.group(4) == null || parts.group(4).isEmpty() ? "1" : parts.group(4);
        if (Long.parseLong(factor) == 0) {
            throw unsupported(text);
        }
        Json.Obj step = Json.object()
                .with("unit", Json.of(parts.group(5) == null ? "generic" : parts.group(5)))
                .with("scale_factor", Json.of(Long.parseLong(factor)));
        String name = parts.group(2).equals("M") ? "numpy.datetime64" : "numpy.timedelta64";
        return new ElementType(Json.extension(name, step), Json.of(0), endian, size);
    }

    private static ElementType known(boolean fits, String name, Json fill, String endian, String text, int bytes) {
        if (!fits) {
            throw unsupported(text);
        }
        return new ElementType(Json.of(name), fill, endian, bytes);
    }

    private static Json zeros(int bytes) {
        return new Json.Arr(Collections.nCopies(bytes, Json.of(0)));
    }

    private static String shown(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }

    private static UnsupportedException unsupported(String text) {
        return new UnsupportedException("b2nd: data type \"" + shown(text) + "\" is not supported");
    }
}
