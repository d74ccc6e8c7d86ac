package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A region of an array. Its text is a list of items separated by commas: one {@link RegionItem} for each dimension, or
 * items by name, such as {@code t=3,z=10:20:2}. Dimensions that are not named are selected entirely. The text is empty
 * for an array without dimensions. Immutable.
 */
public final class Region {
    /** The option's description. */
    public static final String HELP =
            "One item for each dimension: a:b, a:, :b, : or an integer, such as 0:10,3; or by name: "
                    + "t=3,y=-64:. Negative numbers count from the end.";

    private final Box box;
    private final long[] steps;

    private Region(Box box, long[] steps) {
        this.box = box;
        this.steps = steps;
    }

    /**
     * Parses a region of {@code array}. Items may have steps. Null selects the whole array.
     *
     * @throws UsageException if {@code text} is not a region of the array
     * @throws IndexOutOfBoundsException if the region exceeds the shape
     */
    public static Region parseWithSteps(@Nullable String text, ZarrArray array) {
        long[] shape = array.shape();
        if (text == null) {
            long[] ones = new long[shape.length];
            Arrays.fill(ones, 1);
            return new Region(array.domain(), ones);
        }
        return parse(text, shape, array.dimensionNames().orElse(List.of()));
    }

    /** Parses a region without steps. Null selects the whole array. */
    public static Box parse(@Nullable String text, ZarrArray array) {
        return parseWithSteps(text, array).box();
    }

    /** Parses a region without steps. The dimensions of the array have no names. */
    static Box parse(String text, long[] shape) {
        return parse(text, shape, List.of()).box();
    }

    /** Parses a region with an item for each dimension, or items by name. */
    private static Region parse(String text, long[] shape, List<Optional<String>> names) {
        String[] items = text.isEmpty() ? new String[0] : text.split(",", -1);
        String[] itemOfDimension = text.indexOf('=') < 0 ? items : itemsByName(text, items, shape.length, names);
        if (itemOfDimension.length != shape.length) {
            throw new UsageException("region \"" + text + "\": expected " + NodeText.count(shape.length, "item")
                    + ", one for each dimension of shape " + Arrays.toString(shape) + ", found " + items.length);
        }
        long[] origin = new long[shape.length];
        long[] lengths = new long[shape.length];
        long[] steps = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            RegionItem item = RegionItem.parse(text, itemOfDimension[d], d, shape[d]);
            origin[d] = item.start();
            lengths[d] = item.end() - item.start();
            steps[d] = item.step();
        }
        return new Region(Box.of(origin, lengths), steps);
    }

    /** Returns items with names in the order of the dimensions. A dimension without an item gets {@code :}. */
    private static String[] itemsByName(String text, String[] items, int rank, List<Optional<String>> names) {
        String[] itemOfDimension = new String[rank];
        Arrays.fill(itemOfDimension, ":");
        boolean[] isGiven = new boolean[rank];
        for (String item : items) {
            int equalsSign = item.indexOf('=');
            if (equalsSign < 0) {
                throw new UsageException(
                        "region \"" + text + "\": expected a name before \"" + item + "\", as before the other items");
            }
            Optional<String> name = Optional.of(item.substring(0, equalsSign));
            int d = names.indexOf(name);
            if (d < 0 || d != names.lastIndexOf(name) || isGiven[d]) {
                String problem = d < 0 ? "no dimension is" : isGiven[d] ? "two items are" : "several dimensions are";
                throw new UsageException("region \"" + text + "\": " + problem + " called " + name.get()
                        + "; the dimensions "
                        + (names.isEmpty()
                                ? "have no names"
                                : "are "
                                        + names.stream()
                                                .map(known -> known.orElse("(no name)"))
                                                .toList()));
            }
            isGiven[d] = true;
            itemOfDimension[d] = item.substring(equalsSign + 1);
        }
        return itemOfDimension;
    }

    /**
     * Returns the region as a box.
     *
     * @throws UsageException if it has steps
     */
    public Box box() {
        if (hasSteps()) {
            throw new UsageException(
                    "this command takes regions without steps; read, write, export and head take steps");
        }
        return box;
    }

    /** Whether a step is larger than 1. */
    public boolean hasSteps() {
        return Arrays.stream(steps).anyMatch(step -> step > 1);
    }

    /** Returns the shape of the selected elements. */
    public long[] shape() {
        long[] shape = box.shape();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = shape[d] == 0 ? 0 : (shape[d] - 1) / steps[d] + 1;
        }
        return shape;
    }

    /** Returns the step in each dimension. */
    public long[] steps() {
        return steps.clone();
    }

    /** Returns a box that contains all selected elements. */
    public Box bounds() {
        return box;
    }

    /** Returns the selected elements of the array. */
    public ZarrView view(ZarrArray array) {
        ZarrView view = array.view();
        for (int d = 0; d < steps.length; d++) {
            view = view.range(d, box.origin(d), box.end(d), steps[d]);
        }
        return view;
    }
}
