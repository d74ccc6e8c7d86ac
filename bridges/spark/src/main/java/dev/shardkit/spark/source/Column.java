package dev.shardkit.spark.source;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.Float16;
import dev.shardkit.type.NumpyTimeType;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of elements to the values of a column. Spark has no unsigned integers and no float16, so they become the
 * next larger type. Immutable.
 *
 * <p>An array stores a time or duration as a number of steps. A step has numerator/denominator microseconds: 1/1000 for
 * steps of a nanosecond.
 *
 * @param kind how elements become values
 * @param numerator for a time or duration, the numerator of the microseconds in a step; for months, the months in a
 *     step; otherwise 1
 * @param denominator for a time or duration, the denominator of the microseconds in a step; otherwise 1
 */
record Column(Kind kind, long numerator, long denominator) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The kinds of columns. */
    enum Kind {
        BOOLEAN(DataTypes.BooleanType),
        BYTE(DataTypes.ByteType),
        UNSIGNED_BYTE(DataTypes.ShortType),
        SHORT(DataTypes.ShortType),
        UNSIGNED_SHORT(DataTypes.IntegerType),
        INT(DataTypes.IntegerType),
        UNSIGNED_INT(DataTypes.LongType),
        LONG(DataTypes.LongType),
        UNSIGNED_LONG(DataTypes.createDecimalType(20, 0)), // 2^64-1 has 20 digits
        HALF(DataTypes.FloatType),
        FLOAT(DataTypes.FloatType),
        DOUBLE(DataTypes.DoubleType),
        COMPLEX_FLOAT(complex(DataTypes.FloatType)),
        COMPLEX_DOUBLE(complex(DataTypes.DoubleType)),
        TIMESTAMP(DataTypes.TimestampNTZType),
        MONTHS(DataTypes.TimestampNTZType),
        DURATION(DataTypes.createDayTimeIntervalType()),
        TEXT(DataTypes.StringType);

        private final DataType type;

        Kind(DataType type) {
            this.type = type;
        }

        private static StructType complex(DataType part) {
            boolean isNullable = false;
            return DataTypes.createStructType(List.of(
                    DataTypes.createStructField("real", part, isNullable),
                    DataTypes.createStructField("imaginary", part, isNullable)));
        }
    }

    /** The number of decimal digits of 2^64-1. */
    private static final int DIGITS = 20;

    private static final int LONG_BITS = 64;
    private static final long MAX_UNSIGNED_BYTE = 0xffL;
    private static final long MAX_UNSIGNED_SHORT = 0xffffL;
    private static final long MAX_UNSIGNED_INT = 0xffffffffL;
    private static final Set<DataType> WHOLE =
            Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
    private static final long MICROS_OF_SECOND = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;
    /** The data types of new arrays by Spark's types; {@link #dataType} adds the complex ones. */
    private static final Map<DataType, Json> DATA_TYPES = Map.ofEntries(
            Map.entry(DataTypes.BooleanType, Json.of("bool")),
            Map.entry(DataTypes.ByteType, Json.of("int8")),
            Map.entry(DataTypes.ShortType, Json.of("int16")),
            Map.entry(DataTypes.IntegerType, Json.of("int32")),
            Map.entry(DataTypes.LongType, Json.of("int64")),
            Map.entry(Kind.UNSIGNED_LONG.type, Json.of("uint64")),
            Map.entry(DataTypes.FloatType, Json.of("float32")),
            Map.entry(DataTypes.DoubleType, Json.of("float64")),
            Map.entry(DataTypes.StringType, Json.of("string")),
            Map.entry(DataTypes.DateType, time("numpy.datetime64", "D")),
            Map.entry(DataTypes.TimestampType, time("numpy.datetime64", "us")),
            Map.entry(DataTypes.TimestampNTZType, time("numpy.datetime64", "us")),
            Map.entry(Kind.DURATION.type, time("numpy.timedelta64", "us")));

    private static Json time(String name, String unit) {
        return Json.extension(name, Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(1)));
    }

    private static Column of(Kind kind) {
        return new Column(kind, 1, 1);
    }

    /** Returns Spark's type. */
    DataType type() {
        return kind.type;
    }

    /** Whether elements may have no value: NaT, "not a time". */
    boolean isNullable() {
        return switch (kind) {
            case TIMESTAMP, MONTHS, DURATION -> true;
            default -> false;
        };
    }

    /**
     * Returns the column for elements of a data type.
     *
     * @param location the location of the array, for the error message
     * @param timesAsSteps whether a time or duration becomes its number of steps, instead of a timestamp or interval
     * @throws UnsupportedException if tables have no such elements
     */
    static Column of(dev.shardkit.spi.array.DataType type, String location, boolean timesAsSteps) {
        if (type instanceof NumpyTimeType time) {
            return timesAsSteps ? of(Kind.LONG) : time(time, location);
        }
        return of(
                switch (type.name()) {
                    case "bool" -> Kind.BOOLEAN;
                    case "int8" -> Kind.BYTE;
                    case "uint8" -> Kind.UNSIGNED_BYTE;
                    case "int16" -> Kind.SHORT;
                    case "uint16" -> Kind.UNSIGNED_SHORT;
                    case "int32" -> Kind.INT;
                    case "uint32" -> Kind.UNSIGNED_INT;
                    case "int64" -> Kind.LONG;
                    case "uint64" -> Kind.UNSIGNED_LONG;
                    case "float16" -> Kind.HALF;
                    case "float32" -> Kind.FLOAT;
                    case "float64" -> Kind.DOUBLE;
                    case "complex64" -> Kind.COMPLEX_FLOAT;
                    case "complex128" -> Kind.COMPLEX_DOUBLE;
                    case "string" -> Kind.TEXT;
                    default ->
                        throw new UnsupportedException("a table of Spark has no elements of data type " + type.name()
                                + " (" + location + "); expected booleans, integers, float16, float32, float64,"
                                + " complex64, complex128, numpy.datetime64, numpy.timedelta64 or string");
                });
    }

    /** Returns the microseconds of a step of {@code scale} units, each of {@code unit} microseconds. */
    private static long microsOfStep(long scale, long unit, String location) {
        try {
            return Math.multiplyExact(scale, unit);
        } catch (ArithmeticException e) {
            throw new UnsupportedException("a table of Spark has no times in steps of " + scale + " units of " + unit
                    + " microseconds (" + location + "); read them with the option times=steps");
        }
    }

    /** Returns the column for times or durations. A step is a number of microseconds, or of months. */
    private static Column time(NumpyTimeType time, String location) {
        Kind kind = time.kind() == NumpyTimeType.Kind.DATETIME64 ? Kind.TIMESTAMP : Kind.DURATION;
        long scale = time.scaleFactor();
        return switch (time.unit()) {
            case WEEK -> new Column(kind, microsOfStep(scale, 604_800 * MICROS_OF_SECOND, location), 1);
            case DAY -> new Column(kind, microsOfStep(scale, 86_400 * MICROS_OF_SECOND, location), 1);
            case HOUR -> new Column(kind, microsOfStep(scale, 3600 * MICROS_OF_SECOND, location), 1);
            case MINUTE -> new Column(kind, microsOfStep(scale, 60 * MICROS_OF_SECOND, location), 1);
            case SECOND -> new Column(kind, microsOfStep(scale, MICROS_OF_SECOND, location), 1);
            case MILLISECOND -> new Column(kind, microsOfStep(scale, 1000, location), 1);
            case MICROSECOND -> new Column(kind, scale, 1);
            case NANOSECOND -> new Column(kind, scale, 1000);
            case PICOSECOND -> new Column(kind, scale, 1_000_000);
            case FEMTOSECOND -> new Column(kind, scale, 1_000_000_000);
            case ATTOSECOND -> new Column(kind, scale, 1_000_000_000_000L);
            case YEAR, MONTH, GENERIC -> {
                if (kind == Kind.DURATION || time.unit() == NumpyTimeType.Unit.GENERIC) {
                    throw new UnsupportedException("a table of Spark has no elements of data type " + time.name()
                            + " in the unit " + time.unit().symbol() + " (" + location
                            + "), whose length is not fixed; the option times=steps reads the numbers of steps");
                }
                yield new Column(Kind.MONTHS, time.unit() == NumpyTimeType.Unit.YEAR ? scale * 12 : scale, 1);
            }
        };
    }

    /**
     * Returns the data type of a new array whose elements come from a column of Spark's type; empty if there is none.
     */
    static Optional<Json> dataType(DataType type) {
        if (isComplex(type, Kind.COMPLEX_FLOAT)) {
            return Optional.of(Json.of("complex64"));
        } else if (isComplex(type, Kind.COMPLEX_DOUBLE)) {
            return Optional.of(Json.of("complex128"));
        }
        return Optional.ofNullable(DATA_TYPES.get(type));
    }

    private static boolean isComplex(DataType given, Kind kind) {
        return given instanceof StructType struct
                && Arrays.equals(struct.fieldNames(), ((StructType) kind.type).fieldNames())
                && Stream.of(struct.fields())
                        .allMatch(field -> field.dataType().equals(((StructType) kind.type).fields()[0].dataType()));
    }

    /**
     * Whether values of Spark's type can be elements. {@link #set} checks the range of integers and times, and rounds
     * floating-point numbers.
     */
    boolean accepts(DataType given) {
        boolean isWhole = WHOLE.contains(given) || given instanceof DecimalType d && d.scale() == 0;
        return switch (kind) {
            case BOOLEAN -> given.equals(DataTypes.BooleanType);
            case TEXT -> given.equals(DataTypes.StringType);
            case HALF, FLOAT, DOUBLE ->
                isWhole
                        || given instanceof DecimalType
                        || given.equals(DataTypes.FloatType)
                        || given.equals(DataTypes.DoubleType);
            case COMPLEX_FLOAT, COMPLEX_DOUBLE -> isComplex(given, kind);
            case TIMESTAMP ->
                given.equals(DataTypes.TimestampType)
                        || given.equals(DataTypes.TimestampNTZType)
                        || given.equals(DataTypes.DateType);
            case DURATION -> given instanceof DayTimeIntervalType;
            case MONTHS -> false; // a timestamp need not be a whole month
            default -> isWhole;
        };
    }

    /**
     * Stores a value of a row as element {@code i} of a Java array.
     *
     * @throws IllegalArgumentException if an integer or a time is outside the range of the data type
     * @throws ArithmeticException if the microseconds of a time do not fit into 64 bits
     */
    void set(Object array, int i, Object value) {
        switch (kind) {
            case BOOLEAN -> ((boolean[]) array)[i] = (Boolean) value;
            case BYTE -> ((byte[]) array)[i] = (byte) whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UNSIGNED_BYTE -> ((byte[]) array)[i] = (byte) whole(value, 0, MAX_UNSIGNED_BYTE);
            case SHORT -> ((short[]) array)[i] = (short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case UNSIGNED_SHORT -> ((short[]) array)[i] = (short) whole(value, 0, MAX_UNSIGNED_SHORT);
            case INT -> ((int[]) array)[i] = (int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UNSIGNED_INT -> ((int[]) array)[i] = (int) whole(value, 0, MAX_UNSIGNED_INT);
            case LONG -> ((long[]) array)[i] = whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case UNSIGNED_LONG -> ((long[]) array)[i] = unsigned(value);
            case HALF -> ((short[]) array)[i] = Float16.ofDouble(((Number) value).doubleValue());
            case FLOAT -> ((float[]) array)[i] = ((Number) value).floatValue();
            case DOUBLE -> ((double[]) array)[i] = ((Number) value).doubleValue();
            case COMPLEX_FLOAT -> {
                ((float[]) array)[2 * i] = (float) part(value, 0);
                ((float[]) array)[2 * i + 1] = (float) part(value, 1);
            }
            case COMPLEX_DOUBLE -> {
                ((double[]) array)[2 * i] = part(value, 0);
                ((double[]) array)[2 * i + 1] = part(value, 1);
            }
            case TIMESTAMP, DURATION -> ((long[]) array)[i] = microsToSteps(value);
            case MONTHS -> throw new IllegalStateException("timestamps are no months");
            case TEXT -> ((String[]) array)[i] = (String) value;
        }
    }

    /** Stores null (NaT) as element {@code i} of a nullable column. */
    static void setNull(Object array, int i) {
        ((long[]) array)[i] = NumpyTimeType.NOT_A_TIME;
    }

    /** Returns the real part (0) or the imaginary part (1) of a complex number. */
    private static double part(Object value, int at) {
        Row parts = (Row) value;
        if (parts.isNullAt(at)) {
            throw new IllegalArgumentException(
                    "a complex number without its " + (at == 0 ? "real" : "imaginary") + " part");
        }
        return ((Number) parts.get(at)).doubleValue();
    }

    /** Returns the number of steps of a time or duration. Refuses a value that is not a whole number of steps. */
    private long microsToSteps(Object value) {
        BigInteger scaled = BigInteger.valueOf(micros(value)).multiply(BigInteger.valueOf(denominator));
        BigInteger[] quotient = scaled.divideAndRemainder(BigInteger.valueOf(numerator));
        // NaT stands for a number of steps beyond 64 bits: no time may have the value of NaT.
        long steps = quotient[0].bitLength() < LONG_BITS ? quotient[0].longValue() : NumpyTimeType.NOT_A_TIME;
        if (quotient[1].signum() != 0 || steps == NumpyTimeType.NOT_A_TIME) {
            throw new IllegalArgumentException("the array's steps of " + numerator + "/" + denominator
                    + " microseconds cannot hold the value " + value);
        }
        return steps;
    }

    /** Returns the microseconds of a duration, or those of a time since 1970 (UTC). */
    private static long micros(Object value) {
        if (value instanceof Duration duration) {
            return micros(duration.getSeconds(), duration.getNano());
        }
        Instant instant = instant(value);
        return micros(instant.getEpochSecond(), instant.getNano());
    }

    /** Returns a timestamp or a date of Spark as a moment. Dates and timestamps without time zone count as UTC. */
    private static Instant instant(Object value) {
        if (value instanceof Instant instant) {
            return instant;
        } else if (value instanceof Timestamp timestamp) {
            return timestamp.toInstant();
        } else if (value instanceof LocalDateTime local) {
            return local.toInstant(ZoneOffset.UTC);
        }
        LocalDate day = value instanceof LocalDate date ? date : ((Date) value).toLocalDate();
        return day.atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private static long micros(long seconds, int nanos) {
        return Math.addExact(Math.multiplyExact(seconds, MICROS_OF_SECOND), nanos / NANOS_OF_MICRO);
    }

    private static long whole(Object value, long min, long max) {
        BigInteger number = number(value);
        if (number.bitLength() >= LONG_BITS || number.longValue() < min || number.longValue() > max) {
            throw new IllegalArgumentException("the value " + value + " is not between " + min + " and " + max);
        }
        return number.longValue();
    }

    /** Returns the 64 bits of an unsigned number. */
    private static long unsigned(Object value) {
        BigInteger number = number(value);
        if (number.signum() < 0 || number.bitLength() > LONG_BITS) {
            throw new IllegalArgumentException("the value " + value + " is not between 0 and 2^64-1");
        }
        return number.longValue();
    }

    private static BigInteger number(Object value) {
        return value instanceof BigDecimal decimal
                ? decimal.toBigIntegerExact()
                : BigInteger.valueOf(((Number) value).longValue());
    }

    /**
     * Returns an element in the form of Spark's internal rows; null for NaT.
     *
     * @throws UnsupportedException if Spark's microseconds cannot hold a time
     */
    @Nullable
    Object at(Object array, int i) {
        return switch (kind) {
            case BOOLEAN -> ((boolean[]) array)[i];
            case BYTE -> ((byte[]) array)[i];
            case UNSIGNED_BYTE -> (short) (((byte[]) array)[i] & 0xff);
            case SHORT -> ((short[]) array)[i];
            case UNSIGNED_SHORT -> ((short[]) array)[i] & 0xffff;
            case INT -> ((int[]) array)[i];
            case UNSIGNED_INT -> ((int[]) array)[i] & 0xffffffffL;
            case LONG -> ((long[]) array)[i];
            case UNSIGNED_LONG -> decimal(((long[]) array)[i]);
            case HALF -> Float16.toFloat(((short[]) array)[i]);
            case FLOAT -> ((float[]) array)[i];
            case DOUBLE -> ((double[]) array)[i];
            case COMPLEX_FLOAT ->
                new GenericInternalRow(new Object[] {((float[]) array)[2 * i], ((float[]) array)[2 * i + 1]});
            case COMPLEX_DOUBLE ->
                new GenericInternalRow(new Object[] {((double[]) array)[2 * i], ((double[]) array)[2 * i + 1]});
            case TIMESTAMP, MONTHS, DURATION -> stepsToMicros(((long[]) array)[i]);
            case TEXT -> UTF8String.fromString(((String[]) array)[i]);
        };
    }

    /** Returns Spark's microseconds of a time or duration; null for NaT. */
    private @Nullable Long stepsToMicros(long steps) {
        if (steps == NumpyTimeType.NOT_A_TIME) {
            return null;
        }
        try {
            if (kind == Kind.MONTHS) {
                long months = Math.multiplyExact(steps, numerator);
                long days = LocalDate.EPOCH.plusMonths(months).toEpochDay();
                return Math.multiplyExact(days, 86_400 * MICROS_OF_SECOND);
            }
            long scaled = Math.multiplyExact(steps, numerator);
            if (scaled % denominator == 0) {
                return scaled / denominator;
            }
        } catch (ArithmeticException | DateTimeException e) {
            throw inexact(steps, "64 bits cannot hold", e);
        }
        throw inexact(steps, "are not whole", null);
    }

    /** Returns the error for steps that Spark's microseconds cannot represent. */
    private UnsupportedException inexact(long steps, String why, @Nullable Exception cause) {
        UnsupportedException e = new UnsupportedException("the time of " + steps
                + " steps has microseconds, the unit of Spark, that " + why
                + "; the option times=steps reads the numbers of steps");
        if (cause != null) {
            e.initCause(cause);
        }
        return e;
    }

    private static Decimal decimal(long word) {
        BigInteger value = BigInteger.valueOf(word);
        return Decimal.apply(
                new BigDecimal(word < 0 ? value.add(BigInteger.ONE.shiftLeft(LONG_BITS)) : value), DIGITS, 0);
    }
}
