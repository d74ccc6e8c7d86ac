package dev.shardkit.ome;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.List;

/**
 * The position of a level in space, computed from its own transformations and those of its image. An element at index
 * {@code i} has the coordinate {@code scale * i + translation} along each axis. Effectively immutable.
 */
record LevelPlacement(double[] scale, double[] translation) {
    static LevelPlacement compute(String node, OmeVersion version, Multiscale multiscale, int level) {
        int rank = multiscale.axes().size();
        LevelPlacement placement = new LevelPlacement(new double[rank], new double[rank]);
        Arrays.fill(placement.scale, 1);
        String member = "multiscales[0].datasets[" + level + "].coordinateTransformations";
        placement.apply(multiscale.datasets().get(level).transformations(), node, member);
        if (version != OmeVersion.V0_6) {
            placement.apply(multiscale.transformations(), node, "multiscales[0].coordinateTransformations");
        }
        for (int d = 0; d < rank; d++) {
            double scale = placement.scale[d];
            if (!(scale > 0) || Double.isInfinite(scale)) {
                throw Members.error(
                        node,
                        member,
                        "a positive scale for axis " + multiscale.axes().get(d).name(),
                        String.valueOf(scale));
            }
        }
        return placement;
    }

    private void apply(List<CoordinateTransformation> steps, String node, String member) {
        for (CoordinateTransformation step : steps) {
            if (step instanceof CoordinateTransformation.Scale scaling) {
                requireRank(scaling.scale(), node, member);
                for (int d = 0; d < scale.length; d++) {
                    scale[d] *= scaling.scale().get(d);
                    translation[d] *= scaling.scale().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Translation shift) {
                requireRank(shift.translation(), node, member);
                for (int d = 0; d < scale.length; d++) {
                    translation[d] += shift.translation().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Sequence sequence) {
                apply(sequence.transformations(), node, member);
            } else if (step instanceof CoordinateTransformation.Other other
                    && !other.type().equals("identity")) {
                throw new UnsupportedException("OME-Zarr metadata of " + node + ": " + member
                        + ": expected numbers of a scale or translation, found a transformation of type \""
                        + other.type()
                        + "\"");
            }
        }
    }

    private void requireRank(List<Double> numbers, String node, String member) {
        if (numbers.size() != scale.length) {
            throw Members.error(
                    node, member, scale.length + " numbers, one for each axis", String.valueOf(numbers.size()));
        }
    }

    /** Returns the fractional index at a physical coordinate. */
    double index(int dimension, double coordinate) {
        return (coordinate - translation[dimension]) / scale[dimension];
    }
}
