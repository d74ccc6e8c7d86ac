package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A NumPy data type in the configuration of a numcodecs codec, such as {@code "<i4"}, {@code "i4"} or {@code "int32"}.
 * The byte order in the name does not matter, because the codec {@code bytes} decides it later. An immutable value.
 *
 * @param dataType the Zarr data type
 * @param format how its bits represent a number
 */
record NumpyTypeName(DataType dataType, NumberFormat format) {
    /** A short name: an optional byte order, the kind (bool, int, uint, float), and the size in bytes. */
    private static final Pattern SHORT = Pattern.compile("[<>|=]?([biuf])([1248])");

    private static final List<DataType> TYPES = List.of(
            CoreTypes.BOOL,
            CoreTypes.INT8,
            CoreTypes.INT16,
            CoreTypes.INT32,
            CoreTypes.INT64,
            CoreTypes.UINT8,
            CoreTypes.UINT16,
            CoreTypes.UINT32,
            CoreTypes.UINT64,
            CoreTypes.FLOAT16,
            CoreTypes.FLOAT32,
            CoreTypes.FLOAT64);

    /** Reads member {@code name}; empty if it is missing or null. */
    static Optional<NumpyTypeName> of(Config config, String name) {
        Optional<Json> json = config.json(name).filter(j -> !(j instanceof Json.Null));
        return json.map(j -> Optional.of(j)
                .filter(Json.Str.class::isInstance)
                .flatMap(text -> of(((Json.Str) text).value()))
                .orElseThrow(() ->
                        Config.expected(config.at(name), "a NumPy type of numbers such as \"<i4\" or \"float64\"", j)));
    }

    /** Returns the type that NumPy calls {@code text}; empty if it is no type of numbers. */
    static Optional<NumpyTypeName> of(String text) {
        String fullName = expand(text);
        return TYPES.stream().filter(t -> t.name().equals(fullName)).findFirst().map(NumpyTypeName::of);
    }

    /**
     * Returns the NumPy type for an array's data type.
     *
     * @throws MetadataException unless the type is of real numbers or bool
     */
    static NumpyTypeName of(DataType type) {
        return type.equals(CoreTypes.BOOL)
                ? new NumpyTypeName(type, new IntegerFormat(8, IntegerFormat.Sign.UNSIGNED))
                : new NumpyTypeName(type, StoredNumbers.real("numcodecs", type));
    }

    /** Returns the full name for a short one, such as {@code int32} for {@code <i4}; other text unchanged. */
    private static String expand(String text) {
        Matcher parts = SHORT.matcher(text);
        if (!parts.matches()) {
            return text;
        }
        int bits = 8 * Integer.parseInt(parts.group(2));
        return switch (parts.group(1)) {
            case "b" -> bits == 8 ? "bool" : text;
            case "i" -> "int" + bits;
            case "u" -> "uint" + bits;
            default -> "float" + bits;
        };
    }

    /** Returns this type in NumPy's spelling. */
    Json json() {
        String name = dataType.name();
        if (isBool()) {
            return Json.of("|b1");
        }
        String kind = name.startsWith("u") ? "u" : name.substring(0, 1);
        return Json.of((size() == 1 ? "|" : "<") + kind + size());
    }

    boolean isBool() {
        return dataType.equals(CoreTypes.BOOL);
    }

    /** Returns whether elements are integers or bool. */
    boolean isWhole() {
        return format instanceof IntegerFormat;
    }

    IntegerFormat wholeFormat() {
        return (IntegerFormat) format;
    }

    FloatingFormat floating() {
        return (FloatingFormat) format;
    }

    /** Returns the size of an element in bytes. */
    int size() {
        return dataType.elementSize().orElseThrow();
    }

    /** Reads {@code n} integers. */
    long[] longs(ByteBuffer in, int n) {
        return StoredNumbers.load(wholeFormat(), size(), in, n);
    }

    /** Reads {@code n} floating-point numbers. */
    double[] doubles(ByteBuffer in, int n) {
        return StoredNumbers.load(floating(), size(), in, n);
    }

    /**
     * Returns this type, after checking that it can be used for elements of {@code type}. numcodecs interprets the bits
     * of elements as numbers of the configured type (NumPy's {@code view}), so only the sizes must be equal.
     *
     * @throws MetadataException if the sizes differ
     */
    NumpyTypeName viewing(DataType type, String codec) {
        if (type.elementSize().orElse(0) != size() || type.carrier().wordSize() != size()) {
            throw new MetadataException("codec " + codec + ": expected a data type with elements of " + size()
                    + " bytes, as " + dataType.name() + " has, found " + type.name());
        }
        return this;
    }
}
