package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.array.Shapes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Reads and replaces single fields of the records in a {@code byte[]}. Stateless, thread-safe. */
public final class RecordFields {
    private RecordFields() {}

    /**
     * Returns the field called {@code name}.
     *
     * @throws IllegalArgumentException if elements of {@code type} are no records, or have no such field
     */
    public static Field find(DataType type, String name) {
        List<Field> fields = type.fields();
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("expected records (struct), found data type " + type.name());
        }
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of the fields "
                        + fields.stream().map(Field::name).toList() + ", found \"" + name + '"'));
    }

    /** Returns the values of a field in a new Java array. */
    public static Object get(DataType type, long[] shape, byte[] records, Field field) {
        int recordSize = type.elementSize().orElseThrow();
        int size = field.type().elementSize().orElseThrow();
        byte[] values = new byte[Math.toIntExact(Shapes.count(shape) * size)]; // of the field only, without gaps
        for (int source = field.offset(), target = 0; target < values.length; source += recordSize, target += size) {
            System.arraycopy(records, source, values, target, size);
        }
        Object array = JavaArrayAdapters.allocate(field.type(), shape);
        Elements elements = Elements.Fixed.of(field.type(), ByteBuffer.wrap(values), ByteOrder.LITTLE_ENDIAN);
        JavaArrayAdapters.target(field.type(), shape, array, 0).put(elements, 0, Shapes.strides(shape), Box.of(shape));
        return array;
    }

    /** Returns a copy of {@code records} in which {@code field} has the values of a Java array. */
    public static byte[] with(DataType type, long[] shape, byte[] records, Field field, Object array) {
        int recordSize = type.elementSize().orElseThrow();
        int size = field.type().elementSize().orElseThrow();
        byte[] values = new byte[Math.toIntExact(Shapes.count(shape) * size)];
        Elements elements = Elements.Fixed.of(field.type(), ByteBuffer.wrap(values), ByteOrder.LITTLE_ENDIAN);
        JavaArrayAdapters.feed(field.type(), shape, array, 0).get(Box.of(shape), elements, 0, Shapes.strides(shape));
        byte[] changed = records.clone();
        for (int target = field.offset(), source = 0; source < values.length; source += size, target += recordSize) {
            System.arraycopy(values, source, changed, target, size);
        }
        return changed;
    }
}
