package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The element type of a b2nd array (an array in a Blosc2 frame), translated to Zarr v3. Immutable.
 *
 * @param type the data type
 * @param fill the fill value, which is zero
 * @param endian the byte order of the words of an element
 * @param bytes the size of an element in bytes
 */
record B2ndElementType(Json type, Json fill, String endian, int bytes) {
    /** A type of NumPy. Its groups are byte order, kind, size, and for times the scale factor and the unit. */
    private static final Pattern NUMPY = Pattern.compile(
            "([<>|=]?)([biufcUSVmM])([0-9]{1,6})" + "(?:\\[([0-9]{0,9})(Y|M|W|D|h|m|s|ms|us|\u03bcs|ns|ps|fs|as)])?");
    /** NumPy's spelling of bool in a record. */
    private static final Pattern BOOL = Pattern.compile("[|=<>]?\\?");

    /**
     * The type that c-blosc2 stores if the writing program does not set one (B2ND_DEFAULT_DTYPE). It does not depend on
     * the element size, so it says nothing about the elements.
     */
    private static final String DEFAULT = "|u1";

    /** The size of a character in NumPy's kind U (UTF-32). */
    private static final int CODE_POINT = 4;
    /** The maximum number of characters of a type in a message. */
    private static final int MAX_SHOWN = 80;

    /** Returns a type of uninterpreted bits: {@code uint8} for one byte, raw bits for more. */
    static B2ndElementType ofBits(int bytes) {
        if (bytes == 1) {
            return new B2ndElementType(Json.of("uint8"), Json.of(0), Blosc2Codec.LITTLE, bytes);
        }
        return new B2ndElementType(Json.of("r" + 8L * bytes), zeroBytes(bytes), Blosc2Codec.LITTLE, bytes);
    }

    /**
     * Parses a type in NumPy's spelling, such as {@code <u2} or {@code [('x', '<f4'), ('y', 'S3')]}. The default type
     * of c-blosc2 becomes uninterpreted bits.
     *
     * @param format the number of the format of {@code text}; 0 stands for NumPy's spelling
     * @param typesize the size of an element according to the frame
     */
    static B2ndElementType parse(long format, String text, int typesize) {
        if (format != 0) {
            throw unsupported(text);
        }
        if (text.equals(DEFAULT)) {
            return ofBits(typesize);
        }
        B2ndElementType type =
                text.startsWith("[") ? NumpyRecordType.parse(text, typesize) : parsePlain(text, typesize);
        if (type.bytes != typesize) {
            throw sizeMismatch(typesize, text);
        }
        return type;
    }

    /** Returns the exception for a type whose size differs from the frame's. */
    static CorruptDataException sizeMismatch(int typesize, String text) {
        return new CorruptDataException(
                "b2nd: expected a data type of " + typesize + " bytes, found \"" + shorten(text) + "\"");
    }

    /**
     * Parses a type without fields.
     *
     * @param maxSize the maximum size in bytes; nothing is allocated for a larger type
     */
    static B2ndElementType parsePlain(String text, int maxSize) {
        if (BOOL.matcher(text).matches()) {
            return new B2ndElementType(Json.of("bool"), Json.of(false), Blosc2Codec.LITTLE, 1);
        }
        Matcher matcher = NUMPY.matcher(text);
        char kind = matcher.matches() ? matcher.group(2).charAt(0) : ' ';
        boolean isTime = kind == 'M' || kind == 'm';
        if (kind == ' ' || matcher.group(5) != null && !isTime) {
            throw unsupported(text);
        }
        String endian = matcher.group(1).equals(">") ? Blosc2Codec.BIG : Blosc2Codec.LITTLE;
        int size = Integer.parseInt(matcher.group(3));
        if (size > maxSize) {
            throw new CorruptDataException(
                    "b2nd: expected a data type of at most " + maxSize + " bytes, found \"" + shorten(text) + "\"");
        }
        return switch (kind) {
            case 'b' -> createIf(size == 1, "bool", Json.of(false), endian, text, size);
            case 'i' -> createIf(List.of(1, 2, 4, 8).contains(size), "int" + 8 * size, Json.of(0), endian, text, size);
            case 'u' -> createIf(List.of(1, 2, 4, 8).contains(size), "uint" + 8 * size, Json.of(0), endian, text, size);
            case 'f' -> createIf(List.of(2, 4, 8).contains(size), "float" + 8 * size, Json.of(0), endian, text, size);
            case 'c' -> {
                Json zero = new Json.Arr(List.of(Json.of(0), Json.of(0)));
                yield createIf(size == 8 || size == 16, "complex" + 8 * size, zero, endian, text, size);
            }
            case 'U' -> textType("fixed_length_utf32", CODE_POINT * size, endian, text);
            case 'S' -> textType("null_terminated_bytes", size, endian, text);
            case 'V' -> rawType(size, text);
            default -> timeType(matcher, size, endian, text);
        };
    }

    /** Returns a type of text with this number of bytes. The fill value is an empty text. */
    private static B2ndElementType textType(String name, int bytes, String endian, String text) {
        if (bytes == 0) {
            throw unsupported(text);
        }
        Json.Obj length = Json.object().with("length_bytes", Json.of(bytes));
        return new B2ndElementType(Json.extension(name, length), Json.of(""), endian, bytes);
    }

    private static B2ndElementType rawType(int bytes, String text) {
        if (bytes == 0) {
            throw unsupported(text);
        }
        return new B2ndElementType(Json.of("r" + 8L * bytes), zeroBytes(bytes), Blosc2Codec.LITTLE, bytes);
    }

    /**
     * Returns a type of datetimes or durations. Elements count steps of {@code scale_factor} units; the unit is
     * "generic" if the type has none.
     */
    private static B2ndElementType timeType(Matcher matcher, int size, String endian, String text) {
        if (size != Long.BYTES) {
            throw unsupported(text);
        }
        String scaleFactor = matcher.group(4) == null || matcher.group(4).isEmpty() ? "1" : matcher.group(4);
        if (Long.parseLong(scaleFactor) == 0) {
            throw unsupported(text);
        }
        Json.Obj step = Json.object()
                .with("unit", Json.of(matcher.group(5) == null ? "generic" : matcher.group(5)))
                .with("scale_factor", Json.of(Long.parseLong(scaleFactor)));
        String name = matcher.group(2).equals("M") ? "numpy.datetime64" : "numpy.timedelta64";
        return new B2ndElementType(Json.extension(name, step), Json.of(0), endian, size);
    }

    /** Returns a type of numbers. Throws unless {@code isSupported} says that Zarr has numbers of this size. */
    private static B2ndElementType createIf(
            boolean isSupported, String name, Json fill, String endian, String text, int bytes) {
        if (!isSupported) {
            throw unsupported(text);
        }
        return new B2ndElementType(Json.of(name), fill, endian, bytes);
    }

    private static Json zeroBytes(int bytes) {
        return new Json.Arr(Collections.nCopies(bytes, Json.of(0)));
    }

    private static String shorten(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    private static UnsupportedException unsupported(String text) {
        return new UnsupportedException("b2nd: data type \"" + shorten(text) + "\" is not supported");
    }
}
