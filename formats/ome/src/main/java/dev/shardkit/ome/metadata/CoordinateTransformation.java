package dev.shardkit.ome.metadata;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * A step of the conversion from the indices of an array to physical coordinates (section "coordinateTransformations").
 * Scales and translations have one number for each axis, in the order of the axes.
 */
public sealed interface CoordinateTransformation {
    /**
     * Multiplies each coordinate by a number. The scale of a dataset is its pixel size.
     *
     * @param scale the factor for each axis
     * @param others other members, such as {@code input} and {@code output} of 0.6
     */
    record Scale(List<Double> scale, Json.Obj others) implements CoordinateTransformation {
        /** Copies {@code scale}. */
        public Scale {
            scale = List.copyOf(scale);
        }
    }

    /**
     * Adds a number to each coordinate, after the scale.
     *
     * @param translation the number for each axis
     * @param others other members, such as {@code input} and {@code output} of 0.6
     */
    record Translation(List<Double> translation, Json.Obj others) implements CoordinateTransformation {
        /** Copies {@code translation}. */
        public Translation {
            translation = List.copyOf(translation);
        }
    }

    /**
     * Applies several steps in order (OME-Zarr 0.6).
     *
     * @param transformations the steps
     * @param others other members, such as {@code input} and {@code output}
     */
    record Sequence(List<CoordinateTransformation> transformations, Json.Obj others)
            implements CoordinateTransformation {
        /** Copies {@code transformations}. */
        public Sequence {
            transformations = List.copyOf(transformations);
        }
    }

    /** A transformation of another type, or one whose numbers are stored in an array. */
    record Other(String type, Json.Obj others) implements CoordinateTransformation {}

    /** Creates a scale. */
    static CoordinateTransformation scale(List<Double> scale) {
        return new Scale(scale, Json.object());
    }

    /** Creates a translation. */
    static CoordinateTransformation translation(List<Double> translation) {
        return new Translation(translation, Json.object());
    }

    /** Returns the other members. */
    Json.Obj others();
}
