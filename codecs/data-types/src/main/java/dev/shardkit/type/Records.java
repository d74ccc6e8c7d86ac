package dev.shardkit.type;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Checks stored records of a {@link StructType} and makes them canonical, field by field. A value is canonical if the
 * bits that its type ignores have their usual values, for example if the unused upper bits of an {@code int4} are
 * copies of its sign bit.
 */
final class Records {
    private Records() {}

    /** Returns records in which each field is canonical; the same elements if no byte changes. */
    static Elements.Fixed canonical(DataType type, Elements.Fixed stored) {
        Elements.Fixed records = stored;
        for (Field field : type.fields()) {
            if (needsCheck(field.type())) {
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

    /** Rejects records with a field whose bytes are not a value of the field's type. */
    static void check(DataType type, Elements.Fixed records) {
        for (Field field : type.fields()) {
            if (needsCheck(field.type())) {
                try {
                    field.type().check(column(records, field));
                } catch (CorruptDataException e) {
                    throw new CorruptDataException("field \"" + field.name() + "\": " + e.getMessage(), e);
                }
            }
        }
    }

    /**
     * Returns whether the type may have invalid or non-canonical bit patterns. In numbers of whole bytes, every pattern
     * is a canonical value.
     */
    private static boolean needsCheck(DataType type) {
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

    /** Copies the values of a field into all records. */
    private static void put(Elements.Fixed records, Field field, Elements.Fixed values) {
        int size = values.elementSize();
        for (int i = 0; i < values.count(); i++) {
            records.bytes().put(i * records.elementSize() + field.offset(), values.bytes(), i * size, size);
        }
    }
}
