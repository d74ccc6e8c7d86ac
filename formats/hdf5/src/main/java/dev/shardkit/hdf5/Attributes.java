package dev.shardkit.hdf5;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reads the attributes of an object: in its header or in a heap (sections IV.A.2.m and IV.A.2.v). */
final class Attributes {
    private Attributes() {}

    /**
     * An attribute. Immutable.
     *
     * @param type the type of its elements
     * @param space its shape
     * @param data its elements
     */
    record Value(Datatype type, Dataspace space, Cursor data) {}

    static Map<String, Value> of(FileBytes file, ObjectHeader header) {
        Map<String, Value> values = new LinkedHashMap<>();
        for (ObjectHeader.Message message : header.all(ObjectHeader.Type.ATTRIBUTE)) {
            Cursor data = message.data().again();
            read(
                    file,
                    message.isShared() ? ObjectHeader.shared(file, data, ObjectHeader.Type.ATTRIBUTE) : data,
                    values::put);
        }
        header.find(file, ObjectHeader.Type.ATTRIBUTE_INFO).ifPresent(in -> dense(file, in, values::put));
        return values;
    }

    private static void dense(FileBytes file, Cursor in, BiConsumer<String, Value> values) {
        in.version(0, 0);
        int flags = in.u8();
        in.skip((flags & 1) == 0 ? 0 : 2);
        long heapAddress = in.address();
        long tree = in.address();
        if (heapAddress == Cursor.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.at(file, heapAddress);
        BTree2.walk(file, tree, BTree2.ATTRIBUTES, heap.idSize(), record -> {
            Cursor id = record.part(heap.idSize(), "the ID of an attribute");
            read(file, heap.object(id, "an attribute"), values);
        });
    }

    private static void read(FileBytes file, Cursor in, BiConsumer<String, Value> values) {
        int version = in.version(1, 3);
        int flags = in.u8();
        int nameSize = in.u16();
        int typeSize = in.u16();
        int spaceSize = in.u16();
        in.skip(version == 3 ? 1 : 0);
        int padding = version == 1 ? 8 : 1;
        String name = in.text(padded(nameSize, padding));
        Cursor type = in.part(padded(typeSize, padding), "the type of attribute " + Hdf5.shown(name));
        Cursor space = in.part(padded(spaceSize, padding), "the shape of attribute " + Hdf5.shown(name));
        boolean isShared = version > 1 && (flags & 1) != 0;
        Datatype datatype =
                Datatype.read(isShared ? ObjectHeader.shared(file, type, ObjectHeader.Type.DATATYPE) : type);
        if (version > 1 && (flags & 2) != 0) {
            throw Hdf5.unsupported("an attribute with a shared shape");
        }
        Dataspace shape = Dataspace.read(space);
        long count = shape.count();
        if (datatype.size() != 0 && count > in.left() / datatype.size()) {
            throw in.corrupt(count + " elements of " + datatype.size() + " bytes", in.left() + " bytes");
        }
        values.accept(name, new Value(datatype, shape, in));
    }

    private static long padded(int size, int padding) {
        return (size + padding - 1L) / padding * padding;
    }
}
