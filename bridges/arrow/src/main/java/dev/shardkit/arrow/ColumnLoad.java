package dev.shardkit.arrow;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/**
 * Loads a batch of a column into an Arrow vector: {@link #target} receives the elements that the array reads, then
 * {@link #end} completes the vector. Elements that have the same bits in Zarr and Arrow are decoded directly into the
 * vector's memory; other elements are buffered, and {@link #end} converts them.
 */
final class ColumnLoad {
    /** The smallest 64-bit integer, little-endian: datetime64 and timedelta64 use it for "not a time" (NaT). */
    private static final byte[] NOT_A_TIME = {0, 0, 0, 0, 0, 0, 0, Byte.MIN_VALUE};

    private final String location;
    private final ColumnType.Form form;
    private final FieldVector vector;
    private final int count;
    /** Whether elements with a certain value are nulls: NaT, or the fill value. */
    private final boolean hasNulls;

    private final FillValue fill;
    /** The elements that the array reads: the memory of the vector, or a buffer. */
    private final DenseChunk chunk;

    private ColumnLoad(ZarrArray array, ColumnType.Form form, FieldVector vector, int count, Nulls nulls) {
        this.location = array.location();
        this.form = form;
        this.vector = vector;
        this.count = count;
        this.hasNulls = form == ColumnType.Form.TIME || nulls == Nulls.FILL_VALUE;
        this.fill = array.fillValue();
        ChunkType type = ChunkType.of(array.dataType(), fill, new long[] {count});
        this.chunk = isDirect() ? DenseChunk.of(type, vectorMemory(array)) : DenseChunk.filled(type);
    }

    static ColumnLoad of(ZarrArray array, FieldVector vector, int count, Nulls nulls) {
        ColumnType.Form form = ColumnType.of(array.dataType(), array.location()).form();
        return new ColumnLoad(array, form, vector, count, nulls);
    }

    /** Whether elements are decoded directly into the memory of the vector. */
    private boolean isDirect() {
        return form == ColumnType.Form.FIXED || form == ColumnType.Form.TIME;
    }

    /** Allocates the vector and returns its memory as elements of the array. */
    private Elements vectorMemory(ZarrArray array) {
        BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
        fixed.allocateNew(count);
        int size = array.dataType().elementSize().orElseThrow();
        ByteBuffer memory = fixed.getDataBuffer().nioBuffer(0, Math.multiplyExact(count, size));
        return Elements.Fixed.of(array.dataType(), memory, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the bytes of "not a time" (NaT), little-endian. */
    static byte[] notATime() {
        return NOT_A_TIME.clone();
    }

    /** Returns the target for the elements. */
    Target target() {
        return chunk.target();
    }

    /** Completes the vector after all elements were read. */
    void end() {
        switch (form) {
            case FIXED, TIME -> setValidity();
            case BOOL -> copyBits();
            default -> copyVariable();
        }
    }

    /** Marks all values of the vector as valid, except the nulls. */
    private void setValidity() {
        vector.getValidityBuffer().setOne(0L, (long) BitVectorHelper.getValidityBufferSizeFromCount(count));
        for (int i = 0; hasNulls && i < count; i++) {
            if (isNull(i)) {
                BitVectorHelper.unsetBit(vector.getValidityBuffer(), i);
            }
        }
    }

    private void copyBits() {
        BitVector bits = (BitVector) vector;
        bits.allocateNew(count);
        ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
        for (int i = 0; i < count; i++) {
            int isValid = hasNulls && isNull(i) ? 0 : 1;
            bits.set(i, isValid, bytes.get(i));
        }
    }

    /** Copies texts and bytes into the vector, which has an offset for each element. */
    private void copyVariable() {
        byte[][] values = values();
        long total = 0;
        for (byte[] value : values) {
            total += value.length;
        }
        if (total > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(location + ": " + count + " rows hold " + total
                    + " bytes, more than a batch of Arrow; choose smaller batches (withBatchRows)");
        }
        BaseVariableWidthVector variable = (BaseVariableWidthVector) vector;
        variable.allocateNew(total, count);
        for (int i = 0; i < count; i++) {
            if (!hasNulls || !isNull(i)) {
                variable.set(i, values[i]);
            }
        }
    }

    private byte[][] values() {
        if (chunk.elements() instanceof Elements.Variable variable) {
            return variable.values();
        }
        Elements.Fixed fixed = (Elements.Fixed) chunk.elements();
        byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++) {
            values[i] = utf8(fixed.bytes(), i * fixed.elementSize(), fixed.elementSize());
        }
        return values;
    }

    /** Converts one UTF-32 element, which zeros pad to its fixed size, to UTF-8. */
    private static byte[] utf8(ByteBuffer codePoints, int offset, int size) {
        StringBuilder text = new StringBuilder();
        int length = size;
        while (length > 0 && codePoints.getInt(offset + length - Integer.BYTES) == 0) {
            length -= Integer.BYTES;
        }
        for (int i = 0; i < length; i += Integer.BYTES) {
            text.appendCodePoint(codePoints.getInt(offset + i));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private boolean isNull(int i) {
        if (form == ColumnType.Form.TIME && hasBytes(i, NOT_A_TIME)) {
            return true;
        }
        return form != ColumnType.Form.TIME && hasBytes(i, fill.bytes());
    }

    /** Whether the little-endian bytes of an element equal {@code value}. */
    private boolean hasBytes(int i, byte[] value) {
        if (chunk.elements() instanceof Elements.Variable variable) {
            return Arrays.equals(variable.values()[i], value);
        }
        Elements.Fixed fixed = (Elements.Fixed) chunk.elements();
        int size = fixed.elementSize();
        for (int k = 0; k < size; k++) {
            if (fixed.bytes().get(i * size + k) != value[k]) {
                return false;
            }
        }
        return true;
    }
}
