package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the names of dimensions: those of dimension scales, or labels. Used by one thread. */
final class DimensionNameReader {
    private static final String SCALE = "DIMENSION_SCALE";
    private static final int MAX_DIMENSIONS = 1024;

    private final GlobalHeap heap;
    private final Map<Long, String> names;
    private final DimensionScales scales;

    DimensionNameReader(GlobalHeap heap, Map<Long, String> names, DimensionScales scales) {
        this.heap = heap;
        this.names = names;
        this.scales = scales;
    }

    /** Returns whether a dataset is a dimension scale. */
    static boolean isScale(Map<String, Attributes.Value> attributes) {
        return text(attributes, "CLASS").equals(SCALE);
    }

    /** Returns the number by which netCDF-4 knows the dimension of a scale; -1 if there is none. */
    static long id(Map<String, Attributes.Value> attributes) {
        long[] ids = integers(attributes.get("_Netcdf4Dimid"));
        return ids.length == 1 ? ids[0] : -1;
    }

    /** Returns the values of an attribute of 32-bit integers; none if it is another attribute. */
    private static long[] integers(Attributes.@Nullable Value value) {
        if (value == null
                || !(value.type() instanceof Datatype.Whole type)
                || type.size() != Integer.BYTES
                || value.space().count() > MAX_DIMENSIONS) {
            return new long[0];
        }
        Cursor in = value.data().again();
        long[] values = new long[(int) value.space().count()];
        for (int i = 0; i < values.length; i++) {
            int word = (int) in.unsigned(Integer.BYTES);
            values[i] = type.big() ? Integer.reverseBytes(word) : word;
        }
        return values;
    }

    /**
     * Returns the name of each dimension.
     *
     * @param name the name of the dataset
     */
    List<Optional<String>> of(Map<String, Attributes.Value> attributes, String name, int rank) {
        List<Optional<String>> found = new ArrayList<>(Collections.nCopies(rank, Optional.empty()));
        labels(attributes, found);
        scales(attributes, found);
        coordinates(attributes, found);
        if (rank == 1 && found.get(0).isEmpty() && isScale(attributes)) {
            found.set(0, Optional.of(name));
        }
        return found;
    }

    /** A coordinate variable of several dimensions is a scale, which has no scales: netCDF-4 states their numbers. */
    private void coordinates(Map<String, Attributes.Value> attributes, List<Optional<String>> found) {
        long[] ids = integers(attributes.get("_Netcdf4Coordinates"));
        for (int d = 0; ids.length == found.size() && d < ids.length; d++) {
            if (found.get(d).isEmpty()) {
                found.set(d, scales.name(ids[d]));
            }
        }
    }

    /** Returns the text of an attribute; an empty string if the attribute is missing or is not one text. */
    static String text(Map<String, Attributes.Value> attributes, String name) {
        Attributes.Value value = attributes.get(name);
        return value != null
                        && value.type() instanceof Datatype.Text type
                        && value.space().count() == 1
                ? value.data().again().text(type.size())
                : "";
    }

    private static boolean fits(Attributes.Value value, int rank) {
        return value != null
                && value.type() instanceof Datatype.Variable
                && value.space().count() == rank;
    }

    private void labels(Map<String, Attributes.Value> attributes, List<Optional<String>> found) {
        Attributes.Value value = attributes.get("DIMENSION_LABELS");
        if (fits(value, found.size())) {
            Cursor in = value.data().again();
            for (int d = 0; d < found.size(); d++) {
                Cursor label = heap.element(in, 1);
                found.set(d, Optional.of(label.text(label.left())).filter(text -> !text.isEmpty()));
            }
        }
    }

    private void scales(Map<String, Attributes.Value> attributes, List<Optional<String>> found) {
        List<Optional<Long>> addresses = addresses(attributes, found.size());
        for (int d = 0; d < found.size(); d++) {
            String path = addresses.get(d).map(names::get).orElse("");
            if (!path.isEmpty()) {
                found.set(d, Optional.of(path.substring(path.lastIndexOf('/') + 1)));
            }
        }
    }

    /**
     * Returns the address of the scale of each dimension. A dimension has a list of references to its scales, of which
     * the first one counts.
     */
    List<Optional<Long>> addresses(Map<String, Attributes.Value> attributes, int rank) {
        List<Optional<Long>> found = new ArrayList<>(Collections.nCopies(rank, Optional.empty()));
        Attributes.Value value = attributes.get("DIMENSION_LIST");
        if (!fits(value, rank) || !(value.type() instanceof Datatype.Variable list)) {
            return found;
        }
        Cursor in = value.data().again();
        for (int d = 0; d < rank; d++) {
            Cursor references = heap.element(in, list.base().size());
            if (references.left() >= references.widths().offset()) {
                found.set(d, Optional.of(references.address()));
            }
        }
        return found;
    }

    /** A dimension of a dataset that has a scale. */
    record Use(long address, int dimension) {}

    /** Returns the dimensions that refer to a scale. */
    static List<Use> uses(Map<String, Attributes.Value> attributes) {
        Attributes.Value value = attributes.get("REFERENCE_LIST");
        if (value == null
                || !(value.type() instanceof Datatype.Compound record)
                || record.members().size() != 2
                || !(record.members().get(0).type() instanceof Datatype.Reference)
                || !(record.members().get(1).type() instanceof Datatype.Whole index)
                || index.size() != Integer.BYTES) {
            return List.of();
        }
        List<Use> uses = new ArrayList<>();
        Cursor in = value.data().again();
        while (in.left() >= record.size()) {
            Cursor use = in.part(record.size(), "a use of a dimension scale");
            long address = use.again().skip(record.members().get(0).offset()).address();
            int word = (int) use.again().skip(record.members().get(1).offset()).unsigned(Integer.BYTES);
            uses.add(new Use(address, index.big() ? Integer.reverseBytes(word) : word));
        }
        return uses;
    }
}
