package dev.shardkit.spark.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.UnsupportedException;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
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

    private final DataType type;

    Column(DataType type) {
        this.type = type;
    }

    /** Returns Spark's type. */
    DataType type() {
        return type;
    }

    static Column of(ZarrArray array) {
        String name = array.dataType().name();
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
                throw new UnsupportedException("a table of Spark has no elements of data type " + name + " ("
                        + array.location() + "); expected booleans, integers, float32, float64 or string");
        };
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
                new java.math.BigDecimal(word < 0 ? value.add(BigInteger.ONE.shiftLeft(LONG_BITS)) : value), DIGITS, 0);
    }
}
