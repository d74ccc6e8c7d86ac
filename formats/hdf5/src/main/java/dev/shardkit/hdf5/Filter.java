package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.List;

/**
 * A filter of chunks (section IV.A.2.l). Immutable.
 *
 * @param id its registered number
 * @param name the name that its writer gave it; may be empty
 * @param values its parameters
 */
record Filter(int id, String name, List<Long> values) {
    private static final int FIRST_OF_OTHERS = 256;

    /** Reads the pipeline, in the order of encoding. */
    static List<Filter> pipeline(Cursor in) {
        int version = in.version(1, 2);
        int count = in.u8();
        in.skip(version == 1 ? 6 : 0);
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = in.u16();
            int nameSize = version == 1 || id >= FIRST_OF_OTHERS ? in.u16() : 0;
            in.skip(2);
            int n = in.u16();
            String name = in.text(version == 1 ? (nameSize + 7) / 8 * 8 : nameSize);
            List<Long> values = new ArrayList<>();
            for (int k = 0; k < n; k++) {
                values.add(in.u32());
            }
            in.skip(version == 1 && n % 2 == 1 ? 4 : 0);
            filters.add(new Filter(id, name, List.copyOf(values)));
        }
        return List.copyOf(filters);
    }

    /** Returns a parameter, or {@code absent} if there are fewer. */
    long value(int index, long absent) {
        return index < values.size() ? values.get(index) : absent;
    }
}
