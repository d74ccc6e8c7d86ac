package dev.shardkit.arrow;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.Text;

/** Converts the values of Arrow vectors to Java arrays, which are then written to a Zarr array. */
final class VectorToArray {
    private final DataType type;
    private final String location;
    private final ColumnType.Form form;
    private final Nulls nulls;
    /** The bytes of the element that stands for null: NaT, or the fill value. */
    private final byte[] nullBytes;

    VectorToArray(ZarrArray array, Nulls nulls) {
        this.type = array.dataType();
        this.location = array.location();
        this.form = ColumnType.of(type, location).form();
        this.nulls = nulls;
        this.nullBytes = form == ColumnType.Form.TIME
                ? ColumnLoad.notATime()
                : array.fillValue().bytes();
    }

    /** Returns how many items of the Java array one element takes: 3 bytes for raw bits of type r24, for example. */
    int words() {
        return type.carrier().isVariable() || type.carrier() == Carrier.UTF32
                ? 1
                : type.elementSize().orElseThrow() / type.carrier().wordSize();
    }

    /** Returns a Java array for {@code rows} elements. */
    Object allocate(int rows) {
        int length = Math.multiplyExact(rows, words());
        return switch (type.carrier()) {
            case BOOLEAN -> new boolean[length];
            case BYTE -> new byte[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            case STRING, UTF32 -> new String[length];
            case BYTES -> new byte[length][];
        };
    }

    /**
     * Returns the values of a vector.
     *
     * @param first the row of the first value, for errors
     */
    Object read(FieldVector vector, int rows, long first) {
        Object values = allocate(rows);
        if (values instanceof String[] strings) {
            for (int i = 0; i < rows; i++) {
                strings[i] = text(variableBytes(vector, i, first + i), first + i);
            }
        } else if (values instanceof byte[][] bytes) {
            for (int i = 0; i < rows; i++) {
                bytes[i] = variableBytes(vector, i, first + i);
            }
        } else {
            fixed(vector, rows, first, values);
        }
        return values;
    }

    private byte[] variableBytes(FieldVector vector, int i, long row) {
        Object value = vector.getObject(i);
        if (value == null) {
            return nullAt(row);
        }
        byte[] bytes = value instanceof Text text ? text.copyBytes() : (byte[]) value;
        checkPresent(Arrays.equals(bytes, nullBytes), row);
        return bytes;
    }

    private String text(byte[] utf8, long row) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(location + ": row " + row + " is not UTF-8", e);
        }
    }

    /** Copies elements of a fixed size from a vector to {@code values}; nulls become {@link #nullBytes}. */
    private void fixed(FieldVector vector, int rows, long first, Object values) {
        int size = type.elementSize().orElseThrow();
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(rows, size)).order(ByteOrder.LITTLE_ENDIAN);
        if (vector instanceof BitVector bits) {
            for (int i = 0; i < rows; i++) {
                bytes.put(i, (byte) (bits.isNull(i) ? 0 : bits.get(i)));
            }
        } else if (rows > 0) {
            bytes.put(0, vector.getDataBuffer().nioBuffer(0, bytes.capacity()), 0, bytes.capacity());
        }
        boolean hasNulls = vector.getNullCount() > 0;
        boolean mustCheck = hasNulls || nulls == Nulls.FILL_VALUE || form == ColumnType.Form.TIME;
        for (int i = 0; mustCheck && i < rows; i++) {
            if (hasNulls && vector.isNull(i)) {
                bytes.put(i * size, nullAt(first + i));
            } else {
                checkPresent(bytes.slice(i * size, size).equals(ByteBuffer.wrap(nullBytes)), first + i);
            }
        }
        copy(bytes, values);
    }

    /** Copies little-endian bytes into a Java array of their words. */
    private static void copy(ByteBuffer bytes, Object values) {
        if (values instanceof byte[] array) {
            bytes.get(array);
        } else if (values instanceof short[] shorts) {
            bytes.asShortBuffer().get(shorts);
        } else if (values instanceof int[] ints) {
            bytes.asIntBuffer().get(ints);
        } else if (values instanceof long[] longs) {
            bytes.asLongBuffer().get(longs);
        } else if (values instanceof float[] floats) {
            bytes.asFloatBuffer().get(floats);
        } else if (values instanceof double[] doubles) {
            bytes.asDoubleBuffer().get(doubles);
        } else {
            boolean[] booleans = (boolean[]) values;
            for (int i = 0; i < booleans.length; i++) {
                booleans[i] = bytes.get(i) != 0;
            }
        }
    }

    /**
     * Returns the bytes that stand for a null.
     *
     * @throws IllegalArgumentException if the caller refuses nulls
     */
    private byte[] nullAt(long row) {
        if (form != ColumnType.Form.TIME && nulls == Nulls.REFUSE) {
            throw new IllegalArgumentException(location + ": row " + row
                    + " is null, and Zarr has no nulls; replace it, or choose Nulls.FILL_VALUE");
        }
        return nullBytes;
    }

    /** Refuses a value that a reader could not tell from null. */
    private void checkPresent(boolean equalsNull, long row) {
        if (equalsNull && (form == ColumnType.Form.TIME || nulls == Nulls.FILL_VALUE)) {
            throw new IllegalArgumentException(location + ": row " + row
                    + " is not null, but it would be read as null because it equals "
                    + (form == ColumnType.Form.TIME ? "\"not a time\"" : "the fill value; choose another fill value"));
        }
    }
}
