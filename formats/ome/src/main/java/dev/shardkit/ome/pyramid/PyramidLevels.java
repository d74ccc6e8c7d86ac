package dev.shardkit.ome.pyramid;

import dev.shardkit.ArraySpec;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.Dataset;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Plans the levels of a new OME-Zarr image: their paths, shapes, chunks and shards, and the metadata of the group.
 * Immutable.
 *
 * @param plan the settings of the image
 * @param first the path of level 0
 */
record PyramidLevels(PyramidSettings plan, String first) {
    /** The path of level 0 of a new image. */
    static final String FIRST = "0";

    private static long[] toArray(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns the shape of a level, computed from level 0 by repeated reduction. */
    long[] shape(int level) {
        long[] shape = plan.array().shape();
        for (int i = 0; i < level; i++) {
            shape = Reduction.shape(shape, factors(shape));
        }
        return shape;
    }

    /**
     * Returns, for each axis, how many elements of a level of this shape become one element of the next level. An axis
     * with one element is not reduced further.
     */
    int[] factors(long[] shape) {
        Optional<List<Integer>> factorOption = plan.factors();
        int[] result = new int[shape.length];
        for (int d = 0; d < result.length; d++) {
            int factor = factorOption.isPresent()
                    ? factorOption.get().get(d)
                    : plan.axes().get(d).isSpace() ? 2 : 1;
            result[d] = shape[d] <= 1 ? 1 : factor;
        }
        return result;
    }

    /**
     * Returns the number of levels. If the settings do not request a number, the last level is the first one whose
     * plane fits into an inner chunk. There are fewer levels than requested if no further axis can be reduced.
     */
    int count() {
        long[] shape = plan.array().shape();
        int count = 1;
        while (count < (plan.levels() > 0 ? plan.levels() : PyramidSettings.MAX_LEVELS)
                && (plan.levels() > 0 || !isSmall(shape))) {
            long[] next = Reduction.shape(shape, factors(shape));
            if (Arrays.equals(next, shape)) {
                return count;
            }
            shape = next;
            count++;
        }
        return count;
    }

    /** Returns whether a plane (the last two axes of space) fits into an inner chunk. */
    private boolean isSmall(long[] shape) {
        int spaceAxes = 0;
        for (int d = shape.length - 1; d >= 0 && spaceAxes < 2; d--) {
            if (plan.axes().get(d).isSpace()) {
                spaceAxes++;
                if (shape[d] > plan.chunkShape().get(d)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the specification of the array of a level. Chunks are not larger than the level. */
    ArraySpec spec(int level) {
        long[] shape = shape(level);
        long[] inner = toArray(plan.chunkShape());
        for (int d = 0; d < inner.length; d++) {
            inner[d] = Math.min(inner[d], Math.max(1, shape[d]));
        }
        ArraySpec spec = ArraySpec.of(plan.array().dataType(), shape)
                .withFillValue(plan.array().fillValue().orElseThrow())
                .withAttributes(plan.array().attributes())
                .withChunkShape(inner)
                .withCodecs(plan.innerCodecs().toArray(Json[]::new));
        return plan.version() == OmeVersion.V0_4
                ? spec.withChunkKeyEncoding(V2Documents.KEYS)
                : spec.withShardShape(shardShape(shape, inner))
                        .withDimensionNames(plan.axes().stream().map(Axis::name).toArray(String[]::new));
    }

    /**
     * Returns the shape of shards: multiples of the lengths of inner chunks, and no larger than a level of this shape
     * needs.
     */
    private long[] shardShape(long[] shape, long[] inner) {
        long[] shardLengths = plan.shardShape().map(PyramidLevels::toArray).orElseGet(() -> {
            double bytes = plan.elementSize();
            for (long length : inner) {
                bytes *= length;
            }
            return ShardLayout.automaticShape(shape, inner, bytes);
        });
        for (int d = 0; d < shardLengths.length; d++) {
            long maxLength = (Math.max(1, shape[d]) - 1) / inner[d] * inner[d] + inner[d]; // covers the whole level
            // A chunk that was cut to the level's length would not divide the planned length of a shard.
            shardLengths[d] = inner[d] == plan.chunkShape().get(d) ? Math.min(shardLengths[d], maxLength) : maxLength;
        }
        return shardLengths;
    }

    /**
     * Returns the path of a level: 0, 1, 2 and so on; or, if level 0 has another name, this name and a number: raw_1.
     */
    String path(int level) {
        if (level == 0) {
            return first;
        }
        return first.equals(FIRST) ? String.valueOf(level) : first + "_" + level;
    }

    /** Returns the OME-Zarr metadata of the group of an image with {@code count} levels. */
    OmeMetadata metadata(int count) {
        List<Dataset> datasets = new ArrayList<>();
        List<Double> scale = plan.pixelSize();
        List<Double> translation = plan.origin();
        for (int level = 0; level < count; level++) {
            datasets.add(Dataset.of(path(level), scale, translation));
            int[] blockFactors = factors(shape(level));
            translation = shift(translation, scale, blockFactors);
            scale = multiply(scale, blockFactors);
        }
        Json.Obj method = Json.object()
                .with("method", Json.of("shardkit pyramid"))
                .with("reducer", Json.of(plan.reducer().text()));
        if (plan.skipped() != SkippedElements.MISSING) {
            method = method.with("skip", Json.of(plan.skipped().text()));
        }
        Multiscale image =
                Multiscale.of(plan.axes(), datasets).withMethod(plan.reducer().text(), method);
        OmeMetadata metadata = OmeMetadata.empty(plan.version())
                .withMultiscales(List.of(plan.name().map(image::withName).orElse(image)));
        metadata = plan.omero().map(metadata::withOmero).orElse(metadata);
        return plan.label().map(metadata::withImageLabel).orElse(metadata);
    }

    /** Returns the distance of elements in the next level, along each axis. */
    private static List<Double> multiply(List<Double> scale, int[] blockFactors) {
        List<Double> result = new ArrayList<>();
        for (int d = 0; d < blockFactors.length; d++) {
            result.add(scale.get(d) * blockFactors[d]);
        }
        return result;
    }

    /**
     * Returns the coordinates of the first element of the next level: the middle of the block from which it is
     * computed. With {@link Reducer#NEAREST}, the coordinates are those of the element that is kept.
     */
    private List<Double> shift(List<Double> translation, List<Double> scale, int[] blockFactors) {
        List<Double> result = new ArrayList<>();
        for (int d = 0; d < blockFactors.length; d++) {
            double middle = plan.reducer() == Reducer.NEAREST ? (blockFactors[d] - 1) / 2 : (blockFactors[d] - 1) / 2.0;
            result.add(translation.get(d) + scale.get(d) * middle);
        }
        return result;
    }

    /**
     * Returns a digest of the source and the settings. An unfinished image stores it; a call resumes that image only if
     * its own digest is the same.
     */
    String state(ZarrArray source) {
        StateDigest digest = new StateDigest();
        digest.add("shardkit pyramid");
        digest.add(source.location());
        List<Optional<String>> names = plan.axes().stream()
                .map(axis -> Optional.of(axis.name()))
                .toList(); // replaces the array's own names, because adding levels to a group may set them
        digest.add(MetadataWriter.write(
                source.metadata().toBuilder().dimensionNames(names).build()));
        digest.add(metadata(count()).attributes().toString());
        for (int level = 0; level < count(); level++) {
            ArraySpec spec = spec(level);
            digest.add(Arrays.toString(spec.chunkShape().orElseThrow()));
            digest.add(spec.shardShape().map(Arrays::toString).orElse("no shards"));
        }
        digest.add(plan.innerCodecs().toString());
        return digest.text();
    }
}
