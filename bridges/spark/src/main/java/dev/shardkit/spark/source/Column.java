package dev.shardkit.spark.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.UnsupportedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** The kind of a column with elements: Spark has no unsigned integers, so they become the next larger type. */
enum Column {
    BOOLEAN(DataTypes.BooleanType),
    BYTE(DataTypes.ByteType),
    UNSIGNED_BYTE(DataTypes.ShortType),
    SHORT(DataTypes.ShortType),
    UNSIGNED_SHORT(DataTypes.IntegerType),
    INT(DataTypes.IntegerType),
    UNSIGNED_INT(DataTypes.LongType),
    LONG(DataTypes.LongType),
    UNSIGNED_LONG(DataTypes.createDecimalType(20, 0)),
    FLOAT(DataTypes.FloatType),
    DOUBLE(DataTypes.DoubleType),
    TEXT(DataTypes.StringType);

    private static final int DIGITS = 20;
    private static final int LONG_BITS = 64;
    private static final long MOST_UNSIGNED_BYTE = 0xffL;
    private static final long MOST_UNSIGNED_SHORT = 0xffffL;
    private static final long MOST_UNSIGNED_INT = 0xffffffffL;
    private static final Set<DataType> WHOLE =
            Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
    private static final Map<DataType, String> DATA_TYPES = Map.of(
            DataTypes.BooleanType, "bool",
            DataTypes.ByteType, "int8",
            DataTypes.ShortType, "int16",
            DataTypes.IntegerType, "int32",
            DataTypes.LongType, "int64",
            DataTypes.FloatType, "float32",
            DataTypes.DoubleType, "float64",
            DataTypes.StringType, "string");

    private final DataType type;

    Column(DataType type) {
        this.type = type;
    }

    /** Returns Spark's type. */
    DataType type() {
        return type;
    }

    static Column of(ZarrArray array) {
        return of(array.dataType().name(), array.location());
    }

    /** Returns the kind of a data type; {@code location} is for the error. */
    static Column of(String name, String location) {
        return switch (name) {
            case "bool" -> BOOLEAN;
            case "int8" -> BYTE;
            case "uint8" -> UNSIGNED_BYTE;
            case "int16" -> SHORT;
            case "uint16" -> UNSIGNED_SHORT;
            case "int32" -> INT;
            case "uint32" -> UNSIGNED_INT;
            case "int64" -> LONG;
            case "uint64" -> UNSIGNED_LONG;
            case "float32" -> FLOAT;
            case "float64" -> DOUBLE;
            case "string" -> TEXT;
            default ->
                throw new UnsupportedException("a table of Spark has no elements of data type " + name + " (" + location
                        + "); expected booleans, integers, float32, float64 or string");
        };
    }

    /**
     * Returns the data type of a new array whose elements come from a column of Spark's type; empty if there is none.
     */
    static Optional<String> dataType(DataType type) {
        if (type.equals(UNSIGNED_LONG.type)) {
            return Optional.of("uint64");
        }
        return Optional.ofNullable(DATA_TYPES.get(type));
    }

    /** Whether values of Spark's type can be elements. Each value's range is checked when it is stored. */
    boolean accepts(DataType given) {
        boolean whole = WHOLE.contains(given) || given instanceof DecimalType d && d.scale() == 0;
        return switch (this) {
            case BOOLEAN -> given.equals(DataTypes.BooleanType);
            case TEXT -> given.equals(DataTypes.StringType);
            case FLOAT, DOUBLE ->
                whole || given instanceof DecimalType || FLOAT.type.equals(given) || DOUBLE.type.equals(given);
            default -> whole;
        };
    }

    /**
     * Stores a value of a row as element {@code i} of a Java array.
     *
     * @throws IllegalArgumentException if the value is outside the range of the data type
     */
    void set(Object array, int i, Object value) {
        switch (this) {
            case BOOLEAN -> ((boolean[]) array)[i] = (Boolean) value;
            case BYTE -> ((byte[]) array)[i] = (byte) whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UNSIGNED_BYTE -> ((byte[]) array)[i] = (byte) whole(value, 0, MOST_UNSIGNED_BYTE);
            case SHORT -> ((short[]) array)[i] = (short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case UNSIGNED_SHORT -> ((short[]) array)[i] = (short) whole(value, 0, MOST_UNSIGNED_SHORT);
            case INT -> ((int[]) array)[i] = (int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UNSIGNED_INT -> ((int[]) array)[i] = (int) whole(value, 0, MOST_UNSIGNED_INT);
            case LONG -> ((long[]) array)[i] = whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case UNSIGNED_LONG -> ((long[]) array)[i] = word(value);
            case FLOAT -> ((float[]) array)[i] = ((Number) value).floatValue();
            case DOUBLE -> ((double[]) array)[i] = ((Number) value).doubleValue();
            case TEXT -> ((String[]) array)[i] = (String) value;
        }
    }

    private static long whole(Object value, long least, long most) {
        BigInteger number = number(value);
        if (number.bitLength() >= LONG_BITS || number.longValue() < least || number.longValue() > most) {
            throw new IllegalArgumentException("the value " + value + " is not between " + least + " and " + most);
        }
        return number.longValue();
    }

    private static long word(Object value) {
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

    /** Returns an element in the form of Spark's internal rows. */
    Object at(Object array, int i) {
        return switch (this) {
            case BOOLEAN -> ((boolean[]) array)[i];
            case BYTE -> ((byte[]) array)[i];
            case UNSIGNED_BYTE -> (short) (((byte[]) array)[i] & 0xff);
            case SHORT -> ((short[]) array)[i];
            case UNSIGNED_SHORT -> ((short[]) array)[i] & 0xffff;
            case INT -> ((int[]) array)[i];
            case UNSIGNED_INT -> ((int[]) array)[i] & 0xffffffffL;
            case LONG -> ((long[]) array)[i];
            case UNSIGNED_LONG -> decimal(((long[]) array)[i]);
            case FLOAT -> ((float[]) array)[i];
            case DOUBLE -> ((double[]) array)[i];
            case TEXT -> UTF8String.fromString(((String[]) array)[i]);
        };
    }

    private static Decimal decimal(long word) {
        BigInteger value = BigInteger.valueOf(word);
        return Decimal.apply(
                new BigDecimal(word < 0 ? value.add(BigInteger.ONE.shiftLeft(LONG_BITS)) : value), DIGITS, 0);
    }
}
