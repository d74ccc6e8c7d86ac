package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the names of dimensions: those of dimension scales, or labels. Used by one thread. */
final class DimensionNames {
    private static final String SCALE = "DIMENSION_SCALE";

    private final GlobalHeap heap;
    private final Map<Long, String> names;

    DimensionNames(GlobalHeap heap, Map<Long, String> names) {
        this.heap = heap;
        this.names = names;
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
        if (rank == 1 && found.get(0).isEmpty() && text(attributes, "CLASS").equals(SCALE)) {
            found.set(0, Optional.of(name));
        }
        return found;
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

    /** Each dimension has a list of references to its scales, of which the first one counts. */
    private void scales(Map<String, Attributes.Value> attributes, List<Optional<String>> found) {
        Attributes.Value value = attributes.get("DIMENSION_LIST");
        if (!fits(value, found.size()) || !(value.type() instanceof Datatype.Variable list)) {
            return;
        }
        Cursor in = value.data().again();
        for (int d = 0; d < found.size(); d++) {
            Cursor references = heap.element(in, list.base().size());
            if (references.left() >= references.widths().offset()) {
                String path = names.getOrDefault(references.address(), "");
                if (!path.isEmpty()) {
                    found.set(d, Optional.of(path.substring(path.lastIndexOf('/') + 1)));
                }
            }
        }
    }
}
