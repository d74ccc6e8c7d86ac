package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.Cursor;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter of a dataset's chunks, such as a compressor (HDF5 file format specification, section IV.A.2.l). Immutable.
 *
 * @param id the number under which The HDF Group registered the filter
 * @param name the name that the writer stored; may be empty
 * @param parameters the parameters
 */
public record Filter(int id, String name, List<Long> parameters) {
    /** In version 2, filters with smaller numbers have no name. */
    private static final int FIRST_WITH_NAME_LENGTH = 256;

    /** Reads a list of filters, in the order of encoding. */
    public static List<Filter> readAll(Cursor cursor) {
        int version = cursor.version(1, 2);
        int count = cursor.u8();
        cursor.skip(version == 1 ? 6 : 0);
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = cursor.u16();
            int nameSize = version == 1 || id >= FIRST_WITH_NAME_LENGTH ? cursor.u16() : 0;
            cursor.skip(2); // flags
            int valueCount = cursor.u16();
            String name = cursor.text(version == 1 ? (nameSize + 7) / 8 * 8 : nameSize);
            List<Long> parameters = new ArrayList<>();
            for (int k = 0; k < valueCount; k++) {
                parameters.add(cursor.u32());
            }
            cursor.skip(version == 1 && valueCount % 2 == 1 ? 4 : 0); // padding
            filters.add(new Filter(id, name, List.copyOf(parameters)));
        }
        return List.copyOf(filters);
    }

    /** Returns a parameter, or {@code defaultValue} if there are fewer parameters. */
    public long parameter(int index, long defaultValue) {
        return index < parameters.size() ? parameters.get(index) : defaultValue;
    }
}
