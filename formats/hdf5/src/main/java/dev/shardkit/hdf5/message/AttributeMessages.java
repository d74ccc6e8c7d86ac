package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.BTree2;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.FractalHeap;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Reads the attributes of an object, which are in its header or in a heap (HDF5 file format specification, sections
 * IV.A.2.m and IV.A.2.v).
 */
public final class AttributeMessages {
    private AttributeMessages() {}

    /**
     * An attribute. Immutable.
     *
     * @param type the type of the elements
     * @param space the shape
     * @param data the elements
     */
    public record Value(Datatype type, Dataspace space, Cursor data) {}

    /** Returns the attributes of an object by name. */
    public static Map<String, Value> read(FileBytes file, ObjectHeader header) {
        Map<String, Value> values = new LinkedHashMap<>();
        for (ObjectHeader.Message message : header.allOf(ObjectHeader.Type.ATTRIBUTE)) {
            Cursor data = message.data().duplicate();
            read(
                    file,
                    message.isShared() ? ObjectHeader.readShared(file, data, ObjectHeader.Type.ATTRIBUTE) : data,
                    values::put);
        }
        header.find(file, ObjectHeader.Type.ATTRIBUTE_INFO)
                .ifPresent(cursor -> readFromHeap(file, cursor, values::put));
        return values;
    }

    /** Reads attributes from a heap, which a B-tree lists. */
    private static void readFromHeap(FileBytes file, Cursor cursor, BiConsumer<String, Value> values) {
        cursor.version(0, 0);
        int flags = cursor.u8();
        cursor.skip((flags & 1) == 0 ? 0 : 2); // the maximum creation index
        long heapAddress = cursor.address();
        long tree = cursor.address();
        if (heapAddress == Cursor.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.open(file, heapAddress);
        BTree2.visit(file, tree, BTree2.ATTRIBUTES, heap.idSize(), record -> {
            Cursor id = record.slice(heap.idSize(), "the ID of an attribute");
            read(file, heap.readObject(id, "an attribute"), values);
        });
    }

    /** Reads one attribute. Version 1 pads name, type and shape to multiples of 8 bytes. */
    private static void read(FileBytes file, Cursor cursor, BiConsumer<String, Value> values) {
        int version = cursor.version(1, 3);
        int flags = cursor.u8();
        int nameSize = cursor.u16();
        int typeSize = cursor.u16();
        int spaceSize = cursor.u16();
        cursor.skip(version == 3 ? 1 : 0); // the encoding of the name
        int padding = version == 1 ? 8 : 1;
        String name = cursor.text(roundUp(nameSize, padding));
        Cursor typeCursor =
                cursor.slice(roundUp(typeSize, padding), "the type of attribute " + Hdf5Errors.forMessage(name));
        Cursor spaceCursor =
                cursor.slice(roundUp(spaceSize, padding), "the shape of attribute " + Hdf5Errors.forMessage(name));
        boolean isShared = version > 1 && (flags & 1) != 0;
        Datatype datatype = Datatype.read(
                isShared ? ObjectHeader.readShared(file, typeCursor, ObjectHeader.Type.DATATYPE) : typeCursor);
        if (version > 1 && (flags & 2) != 0) {
            throw Hdf5Errors.unsupported("an attribute with a shared shape");
        }
        Dataspace shape = Dataspace.read(spaceCursor);
        long count = shape.count();
        if (datatype.size() != 0 && count > cursor.remaining() / datatype.size()) {
            throw cursor.corrupt(count + " elements of " + datatype.size() + " bytes", cursor.remaining() + " bytes");
        }
        values.accept(name, new Value(datatype, shape, cursor));
    }

    private static long roundUp(int size, int padding) {
        return (size + padding - 1L) / padding * padding;
    }
}
