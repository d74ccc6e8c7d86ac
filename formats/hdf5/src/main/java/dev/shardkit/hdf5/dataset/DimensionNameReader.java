package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.GlobalHeap;
import dev.shardkit.hdf5.message.AttributeMessages;
import dev.shardkit.hdf5.message.Datatype;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names of a dataset's dimensions. A dimension scale is a dataset with the coordinates of a dimension (HDF5
 * Dimension Scales specification); its name is the name of the dimension. A dimension without a scale may have a label.
 * Used by one thread.
 */
final class DimensionNameReader {
    /** The value of the attribute {@code CLASS} that marks a dimension scale. */
    private static final String SCALE = "DIMENSION_SCALE";

    private static final int MAX_DIMENSIONS = 1024;

    private final GlobalHeap heap;
    /** The paths of the objects in the file, by their addresses. */
    private final Map<Long, String> paths;

    private final DimensionScales scales;

    DimensionNameReader(GlobalHeap heap, Map<Long, String> paths, DimensionScales scales) {
        this.heap = heap;
        this.paths = paths;
        this.scales = scales;
    }

    /** Returns whether a dataset is a dimension scale. */
    static boolean isScale(Map<String, AttributeMessages.Value> attributes) {
        return readText(attributes, "CLASS").equals(SCALE);
    }

    /** Returns the id that netCDF-4 gave to the dimension of a scale; -1 if there is none. */
    static long id(Map<String, AttributeMessages.Value> attributes) {
        long[] ids = readIntegers(attributes.get("_Netcdf4Dimid"));
        return ids.length == 1 ? ids[0] : -1;
    }

    /** Returns the values of an attribute of 32-bit integers; empty for other attributes. */
    private static long[] readIntegers(AttributeMessages.@Nullable Value value) {
        if (value == null
                || !(value.type() instanceof Datatype.Whole type)
                || type.size() != Integer.BYTES
                || value.space().count() > MAX_DIMENSIONS) {
            return new long[0];
        }
        Cursor cursor = value.data().duplicate();
        long[] values = new long[(int) value.space().count()];
        for (int i = 0; i < values.length; i++) {
            int word = (int) cursor.unsigned(Integer.BYTES);
            values[i] = type.isBigEndian() ? Integer.reverseBytes(word) : word;
        }
        return values;
    }

    /**
     * Returns the name of each dimension.
     *
     * @param name the name of the dataset
     */
    List<Optional<String>> read(Map<String, AttributeMessages.Value> attributes, String name, int rank) {
        List<Optional<String>> dimensionNames = new ArrayList<>(Collections.nCopies(rank, Optional.empty()));
        addLabels(attributes, dimensionNames);
        addScaleNames(attributes, dimensionNames);
        addCoordinateNames(attributes, dimensionNames);
        if (rank == 1 && dimensionNames.get(0).isEmpty() && isScale(attributes)) {
            dimensionNames.set(0, Optional.of(name));
        }
        return dimensionNames;
    }

    /**
     * Adds the names of the dimensions of a coordinate variable. A coordinate variable of several dimensions is a
     * dimension scale itself, and a dimension scale cannot have scales. So netCDF-4 stores the ids of its dimensions
     * instead.
     */
    private void addCoordinateNames(
            Map<String, AttributeMessages.Value> attributes, List<Optional<String>> dimensionNames) {
        long[] ids = readIntegers(attributes.get("_Netcdf4Coordinates"));
        for (int d = 0; ids.length == dimensionNames.size() && d < ids.length; d++) {
            if (dimensionNames.get(d).isEmpty()) {
                dimensionNames.set(d, scales.nameOf(ids[d]));
            }
        }
    }

    /** Returns the text of an attribute; an empty string if the attribute is missing or is not one text. */
    static String readText(Map<String, AttributeMessages.Value> attributes, String name) {
        AttributeMessages.Value value = attributes.get(name);
        return value != null
                        && value.type() instanceof Datatype.Text type
                        && value.space().count() == 1
                ? value.data().duplicate().text(type.size())
                : "";
    }

    /** Returns whether an attribute has an element of variable length for each of {@code rank} dimensions. */
    private static boolean isListOf(AttributeMessages.Value value, int rank) {
        return value != null
                && value.type() instanceof Datatype.Variable
                && value.space().count() == rank;
    }

    /** Adds the labels of dimensions. */
    private void addLabels(Map<String, AttributeMessages.Value> attributes, List<Optional<String>> dimensionNames) {
        AttributeMessages.Value value = attributes.get("DIMENSION_LABELS");
        if (isListOf(value, dimensionNames.size())) {
            Cursor cursor = value.data().duplicate();
            for (int d = 0; d < dimensionNames.size(); d++) {
                int itemSize = 1; // the length of a text counts bytes
                Cursor label = heap.readElement(cursor, itemSize);
                dimensionNames.set(d, Optional.of(label.text(label.remaining())).filter(text -> !text.isEmpty()));
            }
        }
    }

    /** Replaces labels by the names of scales, for the dimensions that have a scale. */
    private void addScaleNames(Map<String, AttributeMessages.Value> attributes, List<Optional<String>> dimensionNames) {
        List<Optional<Long>> scaleAddresses = scaleAddresses(attributes, dimensionNames.size());
        for (int d = 0; d < dimensionNames.size(); d++) {
            String path = scaleAddresses.get(d).map(paths::get).orElse("");
            if (!path.isEmpty()) {
                dimensionNames.set(d, Optional.of(path.substring(path.lastIndexOf('/') + 1)));
            }
        }
    }

    /**
     * Returns the address of the scale of each dimension, from the attribute {@code DIMENSION_LIST}. The attribute has
     * a list of references to scales for each dimension; the first reference is used.
     */
    List<Optional<Long>> scaleAddresses(Map<String, AttributeMessages.Value> attributes, int rank) {
        List<Optional<Long>> addresses = new ArrayList<>(Collections.nCopies(rank, Optional.empty()));
        AttributeMessages.Value value = attributes.get("DIMENSION_LIST");
        if (!isListOf(value, rank) || !(value.type() instanceof Datatype.Variable list)) {
            return addresses;
        }
        Cursor cursor = value.data().duplicate();
        for (int d = 0; d < rank; d++) {
            Cursor references = heap.readElement(cursor, list.base().size());
            if (references.remaining() >= references.widths().offset()) {
                addresses.set(d, Optional.of(references.address()));
            }
        }
        return addresses;
    }

    /**
     * A use of a scale.
     *
     * @param address the address of the dataset that uses the scale
     * @param dimension the number of its dimension
     */
    record Use(long address, int dimension) {}

    /** Returns the dimensions that use a scale, from the attribute {@code REFERENCE_LIST} of the scale. */
    static List<Use> uses(Map<String, AttributeMessages.Value> attributes) {
        AttributeMessages.Value value = attributes.get("REFERENCE_LIST");
        if (value == null
                || !(value.type() instanceof Datatype.Compound record)
                || record.members().size() != 2
                || !(record.members().get(0).type() instanceof Datatype.Reference)
                || !(record.members().get(1).type() instanceof Datatype.Whole index)
                || index.size() != Integer.BYTES) {
            return List.of();
        }
        List<Use> uses = new ArrayList<>();
        Cursor cursor = value.data().duplicate();
        while (cursor.remaining() >= record.size()) {
            Cursor useCursor = cursor.slice(record.size(), "a use of a dimension scale");
            long address =
                    useCursor.duplicate().skip(record.members().get(0).offset()).address();
            int word = (int)
                    useCursor.duplicate().skip(record.members().get(1).offset()).unsigned(Integer.BYTES);
            uses.add(new Use(address, index.isBigEndian() ? Integer.reverseBytes(word) : word));
        }
        return uses;
    }
}
