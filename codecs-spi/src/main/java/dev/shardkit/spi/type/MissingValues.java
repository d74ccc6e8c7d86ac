package dev.shardkit.spi.type;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Tells which elements of an array are missing, that is, have no value: NaN, and elements that equal the attribute
 * {@code _FillValue} or {@code missing_value} (CF conventions, section 2.5.1). Methods take an element as a word: its
 * bits, in the low bits of a {@code long}. Immutable.
 */
public final class MissingValues {
    /** The set for arrays in which no element is missing. */
    public static final MissingValues NONE = new MissingValues(Optional.empty(), new long[0]);

    private final Optional<NumberFormat> format;
    /** Whether elements can be NaN, which is then missing. */
    private final boolean hasNan;
    /** The words that stand for missing elements, except NaN. */
    private final long[] words;
    /** The numbers that {@link #words} represent. */
    private final double[] numbers;

    /**
     * Creates a set.
     *
     * @param format how words represent numbers; empty if no element is missing
     * @param words the words of missing elements, except NaN
     */
    private MissingValues(Optional<NumberFormat> format, long[] words) {
        this.format = format;
        this.hasNan = format.orElse(null) instanceof FloatingFormat;
        this.words = words;
        this.numbers = LongStream.of(words)
                .mapToDouble(word -> number(format.orElseThrow(), word))
                .toArray();
    }

    /**
     * Returns the missing elements of an array; {@link #NONE} if its elements are not real numbers. Ignores values that
     * no element of the type can have; {@link #ignored} names their attributes. A floating-point value may also be
     * stated as the base64 text of the eight bytes of a float64, as xarray stores it.
     *
     * @param type the data type of the array
     * @param attributes the attributes of the array
     */
    public static MissingValues of(DataType type, Json.Obj attributes) {
        return format(type)
                .map(format -> new MissingValues(
                        Optional.of(format),
                        Stream.of(FillAttribute.NAME, FillAttribute.MISSING)
                                .flatMap(name -> values(name, attributes))
                                .flatMap(value -> attributeWord(type, value, format, attributes).stream())
                                .mapToLong(Long::longValue)
                                .distinct()
                                .toArray()))
                .orElse(NONE);
    }

    /**
     * Returns which of the two attributes state a value that no element of the type can have. {@link #of} ignores these
     * values. Empty for types that are not numbers.
     */
    public static List<String> ignored(DataType type, Json.Obj attributes) {
        return format(type).stream()
                .flatMap(format -> Stream.of(FillAttribute.NAME, FillAttribute.MISSING)
                        .filter(name -> values(name, attributes)
                                .anyMatch(value -> attributeWord(type, value, format, attributes)
                                        .isEmpty())))
                .toList();
    }

    /** Returns the values of an attribute, which may be one value or a list. */
    private static Stream<Json> values(String name, Json.Obj attributes) {
        return attributes.get(name).stream()
                .flatMap(value -> value instanceof Json.Arr list ? list.items().stream() : Stream.of(value));
    }

    /** Returns the word of an attribute's value; empty if no element of the type can have the value. */
    private static Optional<Long> attributeWord(DataType type, Json value, NumberFormat format, Json.Obj attributes) {
        return parse(type, value, format, UnsignedAttribute.contradicts(type, attributes));
    }

    /**
     * Returns a set that also contains {@code value} and, if elements are floating-point numbers, NaN. Returns this set
     * if elements are not real numbers.
     *
     * @param type the data type of the array
     */
    public MissingValues with(DataType type, FillValue value) {
        Optional<NumberFormat> realFormat = format(type);
        if (realFormat.isEmpty()) {
            return this;
        }
        long added = word(value, realFormat.get());
        LongStream all = LongStream.concat(LongStream.of(words), LongStream.of(added));
        return new MissingValues(realFormat, all.distinct().toArray());
    }

    /** Returns the format of real numbers; empty for other types. */
    private static Optional<NumberFormat> format(DataType type) {
        boolean isReal = type.elementSize().orElse(0) == type.carrier().wordSize(); // complex numbers have two words
        return type.number().filter(format -> isReal);
    }

    /**
     * Returns the word of a value; empty if no element of the type can have the value.
     *
     * @param otherSign whether the value may be stated with the other signedness, such as -1 for 255 of a uint8
     */
    private static Optional<Long> parse(DataType type, Json value, NumberFormat format, boolean otherSign) {
        Json stated = decodeBase64(value);
        // The attribute of an integer type may be stated with a fraction of zeros, such as -9999.0. FillAttribute turns
        // this into -9999, which the type can parse.
        Json candidate = format instanceof IntegerFormat
                ? FillAttribute.of(Json.of(type.name()), stated).orElse(stated)
                : stated;
        try {
            return Optional.of(word(type.parseFill(candidate), format))
                    .filter(word -> represents(number(format, word), stated));
        } catch (ZarrException | IllegalArgumentException e) {
            // no element of the type can have this value
            return otherSign ? wordOfOtherSign(type, candidate, format) : Optional.empty();
        }
    }

    /** Returns a number that xarray has encoded as base64 of its eight bytes; other values as they are. */
    private static Json decodeBase64(Json value) {
        return value instanceof Json.Str text && text.value().matches("[A-Za-z0-9+/]{11}=")
                ? new Json.Num(
                        Double.toString(ByteBuffer.wrap(Base64.getDecoder().decode(text.value()))
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getDouble()))
                : value;
    }

    /**
     * Returns whether {@code element} is the stated number, and not an infinity or a zero in its place. For example,
     * 1e40 and 1e-50 exceed the range of float32. Converted to infinity and zero, they would mark infinite elements and
     * zeros as missing. xarray does neither.
     */
    private static boolean represents(double element, Json stated) {
        if (!(stated instanceof Json.Num number) || !number.isFinite()) {
            return true;
        }
        BigDecimal exact = new BigDecimal(number.lexeme());
        return Double.isFinite(element) && (element != 0 || exact.signum() == 0);
    }

    /**
     * Returns the word of an integer that is outside the type's range but has the same bits with the other signedness.
     */
    private static Optional<Long> wordOfOtherSign(DataType type, Json value, NumberFormat format) {
        if (!(value instanceof Json.Num number) || !number.lexeme().matches("-?[0-9]{1,20}")) {
            return Optional.empty();
        }
        BigInteger range = BigInteger.ONE.shiftLeft(8 * type.elementSize().orElseThrow());
        BigInteger integer = new BigInteger(number.lexeme());
        BigInteger sameBits = integer.signum() < 0 ? integer.add(range) : integer.subtract(range);
        boolean otherSign = false; // the other signedness is tried only once
        return parse(type, new Json.Num(sameBits.toString()), format, otherSign);
    }

    /** Returns the bits of a fill value. */
    private static long word(FillValue value, NumberFormat format) {
        byte[] bytes = Arrays.copyOf(value.bytes(), Long.BYTES);
        return format.cut(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    /** Returns the number that a word represents. */
    private static double number(NumberFormat format, long word) {
        if (format instanceof FloatingFormat floating) {
            return floating.value(word);
        }
        IntegerFormat integerFormat = (IntegerFormat) format;
        long value = integerFormat.value(word);
        boolean isAbove63Bits = !integerFormat.isSigned() && value < 0;
        return isAbove63Bits ? value + 0x1p64 : value; // 2^64, because the long has wrapped around
    }

    /** Returns whether no element is missing, whatever its value. */
    public boolean isEmpty() {
        return words.length == 0 && !hasNan;
    }

    /**
     * Returns whether an element with these bits is missing. Bits above those of the type do not count. Zeros of both
     * signs are equal.
     */
    public boolean contains(long word) {
        return hasNan
                ? containsNumber(((FloatingFormat) format.orElseThrow()).value(word))
                : words.length > 0 && isListed(format.orElseThrow().cut(word));
    }

    /** Returns whether an integer is missing. */
    private boolean isListed(long bits) {
        for (long missing : words) {
            if (missing == bits) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an element with this value, converted to a {@code double}, is missing. */
    public boolean containsNumber(double value) {
        if (hasNan && Double.isNaN(value)) {
            return true;
        }
        for (double missing : numbers) {
            if (missing == value) {
                return true;
            }
        }
        return false;
    }
}
