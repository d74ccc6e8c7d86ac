package dev.shardkit.type;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Checks stored records of a {@link StructType} and makes them canonical, field by field. It gives no access to single
 * records.
 */
final class Records {
    private Records() {}

    /** Returns records in which each field is canonical; the same elements if no byte changes. */
    static Elements.Fixed canonical(DataType type, Elements.Fixed stored) {
        Elements.Fixed records = stored;
        for (Field field : type.fields()) {
            if (mayChange(field.type())) {
                Elements.Fixed values = column(records, field);
                Elements changed = field.type().canonical(values);
                if (changed != values) {
                    records = records == stored ? copy(stored) : records;
                    put(records, field, (Elements.Fixed) changed);
                }
            }
        }
        return records;
    }

    static void check(DataType type, Elements.Fixed records) {
        for (Field field : type.fields()) {
            if (mayChange(field.type())) {
                try {
                    field.type().check(column(records, field));
                } catch (CorruptDataException e) {
                    throw new CorruptDataException("field \"" + field.name() + "\": " + e.getMessage(), e);
                }
            }
        }
    }

    /** Returns whether some bits are no value of the type. All bits of whole numbers are. */
    private static boolean mayChange(DataType type) {
        return type.number().filter(n -> n.bits() % 8 == 0).isEmpty();
    }

    private static Elements.Fixed copy(Elements.Fixed records) {
        ByteBuffer copy = ByteBuffer.allocate(records.bytes().limit())
                .order(records.bytes().order());
        copy.put(0, records.bytes(), 0, records.bytes().limit());
        return new Elements.Fixed(copy, records.elementSize(), records.wordSize());
    }

    /** Copies the values of a field out of all records. */
    private static Elements.Fixed column(Elements.Fixed records, Field field) {
        int size = field.type().elementSize().orElseThrow();
        int count = Math.toIntExact(records.count());
        ByteBuffer values = ByteBuffer.allocate(count * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            values.put(i * size, records.bytes(), i * records.elementSize() + field.offset(), size);
        }
        return Elements.Fixed.of(field.type(), values, ByteOrder.LITTLE_ENDIAN);
    }

    private static void put(Elements.Fixed records, Field field, Elements.Fixed values) {
        int size = values.elementSize();
        for (int i = 0; i < values.count(); i++) {
            records.bytes().put(i * records.elementSize() + field.offset(), values.bytes(), i * size, size);
        }
    }
}
