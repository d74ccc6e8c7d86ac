package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.spi.type.UnsignedAttribute;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Converts stored numbers to physical ones, and back, by all attributes that mask or scale: {@code _FillValue},
 * {@code missing_value}, {@code _Unsigned}, {@code scale_factor}, {@code add_offset} and the valid range, with the
 * result types of xarray's {@code CFMaskCoder} and {@code CFScaleOffsetCoder}. Attributes that are numbers count as
 * float64 or as integers, as in Zarr's JSON. Immutable.
 */
final class MaskAndScale {
    /** No number of a data type needs more digits. */
    private static final int MAX_DIGITS = 400;

    /** Whether the attribute {@code units} names units of time, which changes the type of scaled numbers in xarray. */
    enum TimeUnits {
        /** No units of time. */
        NONE,
        /** Units of time spans of numbers that stay numbers. */
        STATED,
        /** Units by which the numbers become times or time spans. */
        DECODED
    }

    /** The type of decoded numbers. */
    private enum Result {
        /** The stored type, or that with the other signedness. */
        STORED,
        INT64,
        FLOAT32,
        FLOAT64
    }

    /**
     * A value of missing elements.
     *
     * @param number the value, rounded to the nearest {@code double}
     * @param word for integer types the exact value, by its bits; empty if the type does not have it
     */
    private record Fill(double number, OptionalLong word) {}

    /** The stored data type, or that with the other sign if {@code _Unsigned} says so. */
    private final DataType type;

    private final boolean isWhole;
    /** The bits of an element. */
    private final int bits;

    /** The exact values of missing integers, in ascending order; empty if integers are compared as {@code double}. */
    private final long[] missingWords;
    /** The values of missing elements as they are compared, in ascending order; without -0 and NaN. */
    private final double[] missingNumbers;
    /** The first value of missing elements that the data type has. */
    private final Optional<Fill> encodedMissing;

    private final Optional<Json.Num> scale;
    private final Optional<Json.Num> offset;
    private final double min;
    private final double max;
    /** The type after masking and before scaling, in which fill values are compared. */
    private final Result masked;
    /** The type of decoded numbers, after masking and scaling. */
    private final Result result;

    private MaskAndScale(
            DataType stored, Json.Obj attributes, TimeUnits units, CfOptions options, Consumer<String> notes) {
        this.isWhole = stored.number().orElseThrow() instanceof IntegerFormat;
        this.bits = stored.number().orElseThrow().bits();
        this.type = otherSign(stored, attributes, notes);
        this.scale = factor("scale_factor", attributes, notes);
        this.offset = factor("add_offset", attributes, notes);
        List<Fill> values = new ArrayList<>();
        boolean hasFill = fills("_FillValue", stored, attributes, values, notes);
        List<Fill> others = new ArrayList<>();
        hasFill |= fills("missing_value", type, attributes, others, notes);
        if (!attributes.get("missing_value").equals(attributes.get("_FillValue"))) {
            values.addAll(others);
        }
        boolean masksRange = options.validRange() == CfOptions.ValidRange.MASK;
        this.min = masksRange
                ? bound("valid_min", 0, stored, attributes, notes).orElse(Double.NEGATIVE_INFINITY)
                : Double.NEGATIVE_INFINITY;
        this.max = masksRange
                ? bound("valid_max", 1, stored, attributes, notes).orElse(Double.POSITIVE_INFINITY)
                : Double.POSITIVE_INFINITY;
        boolean isPacked = scale.isPresent() || offset.isPresent();
        boolean masks = !values.isEmpty() || min > Double.NEGATIVE_INFINITY || max < Double.POSITIVE_INFINITY;
        if (!masks) {
            this.masked = Result.STORED;
        } else if (isPacked) {
            this.masked = scaled(true);
        } else if (units == TimeUnits.DECODED && isWhole) {
            this.masked = Result.STORED;
        } else {
            this.masked = isWhole ? (bits <= 16 ? Result.FLOAT32 : Result.FLOAT64) : Result.STORED;
        }
        if (!isPacked) {
            this.result = masked;
        } else {
            // in xarray, the mask coder has chosen the type if there is a fill value, also one that masks nothing,
            // such as NaN; otherwise, and for units of time, the scale coder chooses it
            this.result = hasFill && units == TimeUnits.NONE ? masked : scaled(masks);
        }
        boolean comparesWords = isWhole && masked == Result.STORED;
        this.missingWords = comparesWords
                ? values.stream()
                        .flatMapToLong(fill -> fill.word().stream())
                        .sorted()
                        .toArray()
                : new long[0];
        this.missingNumbers = comparesWords ? new double[0] : numbers(values);
        this.encodedMissing = values.stream()
                .filter(fill -> fill.word().isPresent() || !isWhole && canHold(fill.number()))
                .findFirst();
    }

    /** Returns the values of missing elements, rounded to float32 if elements are compared in this type. */
    private double[] numbers(List<Fill> fills) {
        return fills.stream()
                .mapToDouble(Fill::number)
                // a finite number beyond float32 would become infinity and equal infinite elements
                .filter(n -> !comparesFloats() || !Double.isFinite(n) || Math.abs(n) <= Float.MAX_VALUE)
                .map(n -> (comparesFloats() ? (float) n : n) + 0.0)
                .sorted()
                .toArray();
    }

    private boolean comparesFloats() {
        return masked == Result.FLOAT32 || masked == Result.STORED && !isWhole && bits <= 32;
    }

    /** Returns how the numbers of a variable are decoded; what contradicts the conventions is noted and ignored. */
    static MaskAndScale of(
            DataType type, Json.Obj attributes, TimeUnits units, CfOptions options, Consumer<String> notes) {
        return new MaskAndScale(type, attributes, units, options, notes);
    }

    private static DataType otherSign(DataType type, Json.Obj attributes, Consumer<String> notes) {
        if (attributes.get(UnsignedAttribute.NAME).isEmpty()) {
            return type;
        }
        boolean isWhole = type.number().orElseThrow() instanceof IntegerFormat;
        if (!isWhole) {
            notes.accept("_Unsigned is ignored: " + type.name() + " is no integer type");
        }
        Json stated = attributes.get(UnsignedAttribute.NAME).get();
        if (isWhole && !stated.equals(Json.of("true")) && !stated.equals(Json.of("false"))) {
            notes.accept("_Unsigned is ignored: expected \"true\" or \"false\", found " + shortened(stated));
        }
        if (!UnsignedAttribute.contradicts(type, attributes)) {
            return type;
        }
        return switch (type.name()) {
            case "int8" -> CoreTypes.UINT8;
            case "int16" -> CoreTypes.UINT16;
            case "int32" -> CoreTypes.UINT32;
            case "int64" -> CoreTypes.UINT64;
            case "uint8" -> CoreTypes.INT8;
            case "uint16" -> CoreTypes.INT16;
            case "uint32" -> CoreTypes.INT32;
            case "uint64" -> CoreTypes.INT64;
            default -> type;
        };
    }

    private static Optional<Json.Num> factor(String name, Json.Obj attributes, Consumer<String> notes) {
        Optional<Json.Num> number = attributes.get(name).flatMap(AttributeValues::number);
        if (number.isEmpty() && attributes.get(name).isPresent()) {
            notes.accept(name + " is ignored: expected one number, found "
                    + shortened(attributes.get(name).get()));
        }
        return number;
    }

    static String shortened(Json value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }

    /** Adds the values of missing elements. Returns whether xarray takes the attribute for a fill value. */
    private boolean fills(
            String name, DataType stored, Json.Obj attributes, List<Fill> values, Consumer<String> notes) {
        if (attributes.get(name).isEmpty()) {
            return false;
        }
        List<Json> items = AttributeValues.items(attributes.get(name).get());
        boolean hasValue = false;
        for (Json item : items) {
            OptionalDouble value = AttributeValues.real(item);
            if (value.isEmpty()) {
                notes.accept(name + " is ignored: expected a number, found " + shortened(item));
            } else if (!Double.isNaN(value.getAsDouble())) {
                hasValue = true;
                values.add(
                        isWhole
                                ? whole(name, item, value.getAsDouble(), stored)
                                : new Fill(value.getAsDouble(), OptionalLong.empty()));
            }
        }
        return hasValue || !isWhole;
    }

    /**
     * Returns a value of missing integers. The fraction of {@code _FillValue} is dropped. If {@code _Unsigned} changes
     * the sign, {@code _FillValue} is still a number of the stored type, so its bits are read as {@link #type}.
     */
    private Fill whole(String name, Json item, double value, DataType stored) {
        if (!(item instanceof Json.Num number) || !number.isFinite() || Math.abs(value) > 0x1p65) {
            return new Fill(value, OptionalLong.empty());
        }
        BigDecimal exact = new BigDecimal(number.lexeme());
        if (Math.abs((long) exact.scale()) > MAX_DIGITS) {
            return new Fill(value, OptionalLong.empty());
        }
        BigInteger integer = exact.setScale(0, RoundingMode.DOWN).toBigInteger();
        if (!name.equals("_FillValue")) {
            boolean isInteger = exact.compareTo(new BigDecimal(integer)) == 0;
            return new Fill(value, isInteger ? word(integer) : OptionalLong.empty());
        } else if (!stored.equals(type)) {
            integer = otherSign(integer);
        }
        return new Fill(integer.doubleValue(), word(integer));
    }

    /** Returns the integer of {@link #type} whose bits are those of an integer of the stored type. */
    private BigInteger otherSign(BigInteger integer) {
        BigInteger range = BigInteger.ONE.shiftLeft(bits);
        IntegerFormat format = (IntegerFormat) type.number().orElseThrow();
        if (!format.isSigned() && integer.signum() < 0) {
            return integer.add(range);
        } else if (format.isSigned() && integer.compareTo(BigInteger.valueOf(format.max())) > 0) {
            return integer.subtract(range);
        }
        return integer;
    }

    /** Returns the bits of an integer; empty if the data type does not have it. */
    private OptionalLong word(BigInteger integer) {
        boolean isSigned = ((IntegerFormat) type.number().orElseThrow()).isSigned();
        boolean fits = isSigned ? integer.bitLength() < bits : integer.signum() >= 0 && integer.bitLength() <= bits;
        return fits ? OptionalLong.of(integer.longValue()) : OptionalLong.empty();
    }

    /**
     * Returns an end of the valid range. If {@code _Unsigned} changes the sign, the conventions of NetCDF state it as a
     * number of the stored type, as they do for {@code _FillValue}.
     */
    private OptionalDouble bound(
            String name, int position, DataType stored, Json.Obj attributes, Consumer<String> notes) {
        OptionalDouble stated = statedBound(name, position, attributes, notes);
        boolean isInteger = stated.isPresent()
                && Math.rint(stated.getAsDouble()) == stated.getAsDouble()
                && Math.abs(stated.getAsDouble()) <= 0x1p64;
        return stored.equals(type) || !isInteger
                ? stated
                : OptionalDouble.of(otherSign(new BigDecimal(stated.getAsDouble()).toBigInteger())
                        .doubleValue());
    }

    private static OptionalDouble statedBound(String name, int position, Json.Obj attributes, Consumer<String> notes) {
        Optional<Json> range = attributes.get("valid_range");
        if (range.isPresent() && attributes.get(name).isPresent()) {
            notes.accept(name + " is ignored: valid_range is present, too");
        }
        if (range.isPresent()) {
            List<Json> items = AttributeValues.items(range.get());
            OptionalDouble value =
                    items.size() == 2 ? AttributeValues.real(items.get(position)) : OptionalDouble.empty();
            if (value.isEmpty() && position == 0) {
                notes.accept("valid_range is ignored: expected two numbers, found " + shortened(range.get()));
            }
            return value;
        }
        Optional<OptionalDouble> value = attributes.get(name).map(AttributeValues::real);
        if (value.isPresent() && value.get().isEmpty()) {
            notes.accept(name + " is ignored: expected a number, found "
                    + shortened(attributes.get(name).get()));
        }
        return value.orElse(OptionalDouble.empty());
    }

    /** Returns the type that xarray chooses for scaled numbers: int64 for a whole {@code scale_factor} alone. */
    private Result scaled(boolean needsNan) {
        boolean isFactorWhole =
                offset.isEmpty() && scale.filter(Json.Num::isInteger).isPresent();
        return isFactorWhole && !needsNan && fitsLong(scale.get()) ? Result.INT64 : Result.FLOAT64;
    }

    private static boolean fitsLong(Json.Num number) {
        return number.lexeme().length() < 19; // 18 digits always fit
    }

    /** Returns the data type of decoded numbers. */
    DataType valueType() {
        return switch (result) {
            case STORED -> isWhole ? type : bits > 32 ? CoreTypes.FLOAT64 : CoreTypes.FLOAT32;
            case INT64 -> CoreTypes.INT64;
            case FLOAT32 -> CoreTypes.FLOAT32;
            case FLOAT64 -> CoreTypes.FLOAT64;
        };
    }

    /** Decodes elements. Missing ones become NaN if the decoded type has it; the result lists them in any case. */
    Decoded decode(NdArray raw) {
        NumberArrayReader numbers =
                new NumberArrayReader(raw.array(), type.number().orElseThrow());
        int count = java.lang.reflect.Array.getLength(raw.array());
        boolean[] missing = new boolean[count];
        boolean anyMissing = false;
        for (int i = 0; i < count; i++) {
            missing[i] = isMissing(numbers, i);
            anyMissing |= missing[i];
        }
        Optional<boolean[]> mask = anyMissing ? Optional.of(missing) : Optional.empty();
        return switch (result) {
            case STORED -> new Decoded(stored(raw, numbers, missing, anyMissing), mask);
            case INT64 -> new Decoded(NdArray.of(CoreTypes.INT64, raw.shape(), longs(numbers, count)), mask);
            case FLOAT32 -> new Decoded(NdArray.of(CoreTypes.FLOAT32, raw.shape(), floats(numbers, missing)), mask);
            case FLOAT64 -> new Decoded(NdArray.of(CoreTypes.FLOAT64, raw.shape(), doubles(numbers, missing)), mask);
        };
    }

    /**
     * Decoded numbers.
     *
     * @param missing the elements that attributes declare missing, not those stored as NaN; empty if there are none
     */
    record Decoded(NdArray values, Optional<boolean[]> missing) {}

    private boolean isMissing(NumberArrayReader numbers, int i) {
        double value = numbers.number(i);
        if (value < min || value > max) {
            return true;
        }
        if (missingWords.length > 0) {
            return Arrays.binarySearch(missingWords, numbers.whole(i)) >= 0;
        }
        // -0 equals 0 in this comparison; the sum of -0 and 0 is 0
        return missingNumbers.length > 0
                && Arrays.binarySearch(missingNumbers, (comparesFloats() ? (float) value : value) + 0.0) >= 0;
    }

    /** Returns elements of the stored type. Floating-point numbers have NaN for missing ones; float16 is widened. */
    private NdArray stored(NdArray raw, NumberArrayReader numbers, boolean[] missing, boolean anyMissing) {
        boolean isPacked = scale.isPresent() || offset.isPresent();
        if (isWhole || !anyMissing && !isPacked && (bits == 64 || bits == 32)) {
            return NdArray.of(type, raw.shape(), raw.array());
        }
        return bits > 32
                ? NdArray.of(CoreTypes.FLOAT64, raw.shape(), doubles(numbers, missing))
                : NdArray.of(CoreTypes.FLOAT32, raw.shape(), floats(numbers, missing));
    }

    private long[] longs(NumberArrayReader numbers, int count) {
        long factor = scale.map(number -> Long.parseLong(number.lexeme())).orElse(1L);
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = (isWhole ? numbers.whole(i) : (long) numbers.number(i)) * factor;
        }
        return values;
    }

    private float[] floats(NumberArrayReader numbers, boolean[] missing) {
        float factor = (float) number(scale, 1);
        float addend = (float) number(offset, 0);
        float[] values = new float[missing.length];
        for (int i = 0; i < values.length; i++) {
            float value = (float) numbers.number(i);
            value = scale.isPresent() ? value * factor : value;
            values[i] = missing[i] ? Float.NaN : offset.isPresent() ? value + addend : value;
        }
        return values;
    }

    private double[] doubles(NumberArrayReader numbers, boolean[] missing) {
        double factor = number(scale, 1);
        double addend = number(offset, 0);
        double[] values = new double[missing.length];
        for (int i = 0; i < values.length; i++) {
            double value = numbers.number(i);
            value = scale.isPresent() ? value * factor : value;
            values[i] = missing[i] ? Double.NaN : offset.isPresent() ? value + addend : value;
        }
        return values;
    }

    private static double number(Optional<Json.Num> attribute, double otherwise) {
        return attribute.map(number -> Double.parseDouble(number.lexeme())).orElse(otherwise);
    }

    /**
     * Encodes numbers, NaN as the missing value: offset and scale are taken off, and integers are rounded to the
     * nearest, halves to the even one, as xarray does.
     *
     * @param stored the data type of the array
     * @throws IllegalArgumentException if the data type cannot hold a number, or there is a NaN and no value for it;
     *     the message begins with {@code location}
     */
    NdArray encode(double[] values, DataType stored, long[] shape, String location) {
        double factor = number(scale, 1);
        double addend = number(offset, 0);
        NumberArrayBuilder target = new NumberArrayBuilder(stored, values.length, location);
        for (int i = 0; i < values.length; i++) {
            double value = values[i];
            if (Double.isNaN(value) && setMissing(target, i)) {
                continue;
            }
            value = offset.isPresent() ? value - addend : value;
            value = scale.isPresent() ? value / factor : value;
            double rounded = isWhole ? Math.rint(value) : value;
            if (!canHold(rounded)) {
                throw new IllegalArgumentException(location + ": expected numbers that " + type.name()
                        + " can hold after scale_factor and add_offset"
                        + (Double.isNaN(value) ? ", and an attribute _FillValue for NaN" : "") + ", found " + values[i]
                        + " at index " + i);
            }
            target.set(i, rounded);
        }
        return NdArray.of(stored, shape, target.array());
    }

    /** Returns whether the data type can hold a value; floating-point types may round it. Integers have no NaN. */
    private boolean canHold(double value) {
        if (!isWhole) {
            return bits > 32 || Double.isInfinite(value) || !Float.isInfinite((float) value);
        }
        IntegerFormat format = (IntegerFormat) type.number().orElseThrow();
        double end = Math.scalb(1.0, format.isSigned() ? format.bits() - 1 : format.bits());
        return value >= (format.isSigned() ? -end : 0) && value < end;
    }

    /** Returns whether numbers are scaled. */
    boolean isScaled() {
        return scale.isPresent() || offset.isPresent();
    }

    /**
     * Sets an element to the first value of missing elements that the data type has; returns false if there is none.
     */
    boolean setMissing(NumberArrayBuilder target, int i) {
        if (encodedMissing.isEmpty()) {
            return false;
        } else if (encodedMissing.get().word().isPresent()) {
            target.set(i, encodedMissing.get().word().getAsLong());
        } else {
            target.set(i, encodedMissing.get().number());
        }
        return true;
    }
}
