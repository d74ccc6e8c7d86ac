package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfOptions;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a variable (CF conventions) that is selected by labels of coordinates, by indices or both.
 *
 * @param variable the variable
 * @param view the selected elements, with all dimensions of the array
 * @param kept the dimensions of the array that no label has reduced to one index
 */
public record VariableView(CfVariable variable, ZarrView view, List<Integer> kept) {
    /** Returns the lengths of the dimensions that are kept. */
    public long[] shape() {
        return kept.stream().mapToLong(d -> view.shape()[d]).toArray();
    }

    /**
     * Returns the shape of stored elements: the lengths of the dimensions that are kept and, for texts that are stored
     * as arrays of characters, the dimension of the characters.
     */
    public long[] storedShape() {
        long[] lengths = view.shape();
        return LongStream.concat(
                        Arrays.stream(shape()),
                        Arrays.stream(lengths, variable.dimensions().size(), lengths.length))
                .toArray();
    }

    /** Returns the first elements: at most {@code maxLength} in the last two kept dimensions, 1 in the others. */
    public VariableView first(int maxLength) {
        long[] lengths = view.shape();
        for (int i = 0; i < kept.size(); i++) {
            int d = kept.get(i);
            lengths[d] = Math.min(lengths[d], i < kept.size() - 2 ? 1 : maxLength);
        }
        return new VariableView(variable, view.region(Box.of(lengths)), kept);
    }

    /**
     * Opens the group that holds an array as a dataset.
     *
     * @throws UsageException if the array is in no group that can be opened
     */
    public static CfDataset openDataset(String location, ZarrOptions options) {
        try {
            return CfDataset.open(ChildLocation.split(location).parent(), options, CfOptions.defaults());
        } catch (MetadataException e) {
            throw new UsageException("expected " + location + " to be an array in a group that also has its coordinates"
                    + " (for --physical and --sel), found no such group: " + e.getMessage());
        }
    }

    /** Returns the variable of an open dataset that is stored at a location. */
    public static CfVariable variable(CfDataset dataset, String location) {
        return dataset.variable(ChildLocation.split(location).name());
    }

    /**
     * Selects a part.
     *
     * @param region the region by indices; null for all
     * @throws UsageException if a dimension is selected twice
     */
    public static VariableView of(CfVariable variable, LabelOptions labels, @Nullable String region) {
        ZarrArray array = variable.array();
        CfSelection selection = labels.select(variable);
        Region byIndex = Region.parseWithSteps(region, array);
        ZarrView view = byIndex.view(array);
        List<Integer> kept = new ArrayList<>();
        for (int d = 0; d < array.shape().length; d++) {
            if (d >= variable.dimensions().size()) {
                continue; // the characters of texts, which are not a dimension of the variable
            }
            String name = variable.dimensions().get(d);
            if (selection.isSelected(name) && view.shape()[d] != array.shape()[d]) {
                throw new UsageException("--sel and --region both select a part of the dimension " + name);
            } else if (selection.isSelected(name)) {
                view = narrow(view, d, selection.indices(name));
            }
            if (selection.dimensions().contains(name)) {
                kept.add(d);
            }
        }
        return new VariableView(variable, view, List.copyOf(kept));
    }

    /** Returns the view at some indices of a dimension; as a range if they are consecutive. */
    private static ZarrView narrow(ZarrView view, int dimension, long[] indices) {
        boolean isRange = IntStream.range(1, indices.length).allMatch(i -> indices[i] == indices[i - 1] + 1);
        return isRange && indices.length > 0
                ? view.range(dimension, indices[0], indices[0] + indices.length)
                : view.indices(dimension, indices);
    }
}
