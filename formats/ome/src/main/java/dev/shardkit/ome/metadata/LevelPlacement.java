package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.List;

/**
 * The position of a level in space, computed from its own transformations and those of its image. An element at index
 * {@code i} has the coordinate {@code scale * i + translation} along each axis. Immutable.
 *
 * @param scale the distance of neighbouring elements along each axis
 * @param translation the coordinate of the first element along each axis
 */
public record LevelPlacement(List<Double> scale, List<Double> translation) {
    /** Copies the lists. */
    public LevelPlacement {
        scale = List.copyOf(scale);
        translation = List.copyOf(translation);
    }

    /**
     * Computes the position of a level.
     *
     * @param multiscale an image of the metadata
     * @param level the index of the level in the image
     * @throws dev.shardkit.spi.error.MetadataException if the scale of an axis is not a positive number
     * @throws UnsupportedException if a transformation is neither scale nor translation
     */
    public static LevelPlacement of(OmeMetadata metadata, Multiscale multiscale, int level) {
        String node = metadata.node();
        int rank = multiscale.axes().size();
        double[] scales = new double[rank];
        double[] translations = new double[rank];
        Arrays.fill(scales, 1);
        String member = "multiscales[0].datasets[" + level + "].coordinateTransformations";
        apply(multiscale.datasets().get(level).transformations(), scales, translations, node, member);
        if (metadata.version() != OmeVersion.V0_6) { // in 0.6, the steps of the image lead to other coordinate systems
            apply(multiscale.transformations(), scales, translations, node, "multiscales[0].coordinateTransformations");
        }
        for (int d = 0; d < rank; d++) {
            double scale = scales[d];
            if (!(scale > 0) || Double.isInfinite(scale)) {
                throw Members.error(
                        node,
                        member,
                        "a positive scale for axis " + multiscale.axes().get(d).name(),
                        String.valueOf(scale));
            }
        }
        return new LevelPlacement(
                Arrays.stream(scales).boxed().toList(),
                Arrays.stream(translations).boxed().toList());
    }

    /** Applies steps to the scales and translations that result from the steps before. */
    private static void apply(
            List<CoordinateTransformation> steps, double[] scales, double[] translations, String node, String member) {
        for (CoordinateTransformation step : steps) {
            if (step instanceof CoordinateTransformation.Scale scaling) {
                requireRank(scaling.scale(), scales.length, node, member);
                for (int d = 0; d < scales.length; d++) {
                    scales[d] *= scaling.scale().get(d);
                    translations[d] *= scaling.scale().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Translation shift) {
                requireRank(shift.translation(), scales.length, node, member);
                for (int d = 0; d < scales.length; d++) {
                    translations[d] += shift.translation().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Sequence sequence) {
                apply(sequence.transformations(), scales, translations, node, member);
            } else if (step instanceof CoordinateTransformation.Other other
                    && !other.type().equals("identity")) {
                throw new UnsupportedException("OME-Zarr metadata of " + node + ": " + member
                        + ": expected numbers of a scale or translation, found a transformation of type \""
                        + other.type()
                        + "\"");
            }
        }
    }

    private static void requireRank(List<Double> numbers, int rank, String node, String member) {
        if (numbers.size() != rank) {
            throw Members.error(node, member, rank + " numbers, one for each axis", String.valueOf(numbers.size()));
        }
    }

    /** Returns the fractional index at a physical coordinate. */
    public double index(int dimension, double coordinate) {
        return (coordinate - translation.get(dimension)) / scale.get(dimension);
    }
}
