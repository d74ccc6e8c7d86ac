package dev.shardkit.ome;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.List;

/**
 * The place of a level in space, from its transformations and those of its image. An element at index {@code i} is at
 * {@code scale * i + translation} along each axis. Not modified after it was made.
 */
record Placement(double[] scale, double[] translation) {
    static Placement of(String node, OmeVersion version, Multiscale multiscale, int level) {
        int rank = multiscale.axes().size();
        Placement placement = new Placement(new double[rank], new double[rank]);
        Arrays.fill(placement.scale, 1);
        String place = "multiscales[0].datasets[" + level + "].coordinateTransformations";
        placement.add(multiscale.datasets().get(level).transformations(), node, place);
        if (version != OmeVersion.V0_6) {
            placement.add(multiscale.transformations(), node, "multiscales[0].coordinateTransformations");
        }
        for (int d = 0; d < rank; d++) {
            double scale = placement.scale[d];
            if (!(scale > 0) || Double.isInfinite(scale)) {
                throw Members.wrong(
                        node,
                        place,
                        "a positive scale for axis " + multiscale.axes().get(d).name(),
                        String.valueOf(scale));
            }
        }
        return placement;
    }

    private void add(List<CoordinateTransformation> steps, String node, String place) {
        for (CoordinateTransformation step : steps) {
            if (step instanceof CoordinateTransformation.Scale s) {
                check(s.scale(), node, place);
                for (int d = 0; d < scale.length; d++) {
                    scale[d] *= s.scale().get(d);
                    translation[d] *= s.scale().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Translation t) {
                check(t.translation(), node, place);
                for (int d = 0; d < scale.length; d++) {
                    translation[d] += t.translation().get(d);
                }
            } else if (step instanceof CoordinateTransformation.Sequence s) {
                add(s.transformations(), node, place);
            } else if (step instanceof CoordinateTransformation.Other o
                    && !o.type().equals("identity")) {
                throw new UnsupportedException("OME-Zarr metadata of " + node + ": " + place
                        + ": expected numbers of a scale or translation, found a transformation of type \"" + o.type()
                        + "\"");
            }
        }
    }

    private void check(List<Double> numbers, String node, String place) {
        if (numbers.size() != scale.length) {
            throw Members.wrong(
                    node, place, scale.length + " numbers, one for each axis", String.valueOf(numbers.size()));
        }
    }

    /** Returns the index, with a fraction, that is at a physical coordinate. */
    double index(int dimension, double coordinate) {
        return (coordinate - translation[dimension]) / scale[dimension];
    }
}
