package dev.shardkit.ome;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.ShardLayout;
import dev.shardkit.maintenance.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The levels of a new image: shapes, factors, layouts, metadata. An immutable value.
 *
 * @param factors elements that become one, along each axis
 * @param levels the number of levels; 0 for as many as it takes until a plane fits into an inner chunk
 */
record PyramidPlan(
        ArraySpec array,
        List<Axis> axes,
        List<Double> pixelSize,
        Reducer reducer,
        Optional<List<Integer>> factors,
        int levels,
        List<Long> chunk,
        Optional<List<Long>> shard,
        List<Json> codecs,
        Optional<String> name,
        Optional<ImageLabel> label,
        int elementSize,
        Reduction.Check reducible) {
    private static final int MOST_LEVELS = 32;
    private static final int MOST_FACTOR = 64;
    private static final String LAST_NAMES = "tczyx";

    static PyramidPlan of(ZarrArray source) {
        int rank = source.shape().length;
        if (rank < 2 || rank > LAST_NAMES.length()) {
            throw new IllegalArgumentException(
                    "expected an array of 2 to 5 dimensions, as OME-Zarr demands, found " + rank);
        }
        List<Axis> axes = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            int at = d;
            String known = LAST_NAMES.substring(LAST_NAMES.length() - rank + d, LAST_NAMES.length() - rank + d + 1);
            axes.add(Axis.named(
                    source.dimensionNames().flatMap(names -> names.get(at)).orElse(known)));
        }
        long[] chunk = source.chunkShape();
        for (int d = 0; d < rank; d++) {
            chunk[d] = Math.max(1, Math.min(chunk[d], source.shape()[d]));
        }
        return new PyramidPlan(
                ArraySpec.of(source.dataType().json(), source.shape())
                        .withFillValue(source.dataType().formatFill(source.fillValue())),
                axes,
                axes.stream().map(axis -> 1.0).toList(),
                Reducer.MEAN,
                Optional.empty(),
                0,
                boxed(chunk),
                Optional.empty(),
                List.of(Codecs.zstd(3)),
                Optional.empty(),
                Optional.empty(),
                source.dataType().elementSize().orElse(0),
                reducer -> Reduction.of(source.dataType(), reducer, new int[rank]));
    }

    private static List<Long> boxed(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static long[] plain(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private void rank(int count, String what) {
        if (count != axes.size()) {
            throw new IllegalArgumentException(
                    "expected " + axes.size() + " " + what + ", one for each dimension, found " + count);
        }
    }

    private PyramidPlan copy(
            List<Axis> newAxes,
            List<Double> newSizes,
            Reducer newReducer,
            Optional<List<Integer>> newFactors,
            int newLevels) {
        return new PyramidPlan(
                array,
                newAxes,
                newSizes,
                newReducer,
                newFactors,
                newLevels,
                chunk,
                shard,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    private PyramidPlan copy(
            List<Long> newChunk,
            Optional<List<Long>> newShard,
            List<Json> newCodecs,
            Optional<String> newName,
            Optional<ImageLabel> newLabel) {
        return new PyramidPlan(
                array,
                axes,
                pixelSize,
                reducer,
                factors,
                levels,
                newChunk,
                newShard,
                newCodecs,
                newName,
                newLabel,
                elementSize,
                reducible);
    }

    PyramidPlan withAxes(List<Axis> other) {
        rank(other.size(), "axes");
        return copy(List.copyOf(other), pixelSize, reducer, factors, levels);
    }

    PyramidPlan withPixelSize(double... sizes) {
        rank(sizes.length, "pixel sizes");
        for (double size : sizes) {
            if (!(size > 0) || Double.isInfinite(size)) {
                throw new IllegalArgumentException("expected positive pixel sizes, found " + size);
            }
        }
        return copy(axes, Arrays.stream(sizes).boxed().toList(), reducer, factors, levels);
    }

    PyramidPlan withReducer(Reducer other) {
        return copy(axes, pixelSize, other, factors, levels);
    }

    PyramidPlan withFactors(int... other) {
        rank(other.length, "factors");
        boolean reduces = false;
        for (int factor : other) {
            if (factor < 1 || factor > MOST_FACTOR) {
                throw new IllegalArgumentException("expected factors from 1 to " + MOST_FACTOR + ", found " + factor);
            }
            reduces |= factor > 1;
        }
        if (!reduces) {
            throw new IllegalArgumentException("expected a factor above 1, found only 1");
        }
        return copy(
                axes,
                pixelSize,
                reducer,
                Optional.of(Arrays.stream(other).boxed().toList()),
                levels);
    }

    PyramidPlan withLevels(int other) {
        if (other < 1 || other > MOST_LEVELS) {
            throw new IllegalArgumentException("expected 1 to " + MOST_LEVELS + " levels, found " + other);
        }
        return copy(axes, pixelSize, reducer, factors, other);
    }

    PyramidPlan withChunkShape(long... shape) {
        rank(shape.length, "lengths of chunks");
        return copy(boxed(shape), shard, codecs, name, label);
    }

    PyramidPlan withShardShape(long... shape) {
        rank(shape.length, "lengths of shards");
        return copy(chunk, Optional.of(boxed(shape)), codecs, name, label);
    }

    PyramidPlan withCodecs(Json... other) {
        return copy(chunk, shard, List.of(other), name, label);
    }

    PyramidPlan withName(String other) {
        return copy(chunk, shard, codecs, Optional.of(other), label);
    }

    PyramidPlan withImageLabel(ImageLabel other) {
        return copy(chunk, shard, codecs, name, Optional.of(other));
    }

    /**
     * Checks that the metadata will follow the specification and that the elements can be reduced.
     *
     * @throws IllegalArgumentException if not
     */
    void check() {
        reducible.check(reducer);
        Findings findings = new Findings();
        OmeMetadata metadata = metadata(1);
        SchemaSet.of(OmeVersion.V0_5).check(metadata, SchemaSet.Strictness.REQUIRED, findings);
        new MetadataRules(metadata, findings).check();
        for (OmeFinding finding : findings.list()) {
            if (finding.severity() == OmeFinding.Severity.ERROR) {
                throw new IllegalArgumentException("these axes make no OME-Zarr image: " + finding.member()
                        + ": expected " + finding.expected() + ", found " + finding.found());
            }
        }
    }

    /** The shape of a level. */
    long[] shape(int level) {
        long[] shape = array.shape();
        for (int i = 0; i < level; i++) {
            shape = Reduction.shape(shape, factors(shape));
        }
        return shape;
    }

    /** The factors from a level of this shape to the next. An axis of one element stays. */
    int[] factors(long[] shape) {
        int[] result = new int[shape.length];
        for (int d = 0; d < result.length; d++) {
            int factor =
                    factors.isPresent() ? factors.get().get(d) : axes.get(d).isSpace() ? 2 : 1;
            result[d] = shape[d] <= 1 ? 1 : factor;
        }
        return result;
    }

    /** The number of levels. Ends early at a level that cannot be reduced further. */
    int count() {
        long[] shape = array.shape();
        int count = 1;
        while (count < (levels > 0 ? levels : MOST_LEVELS) && (levels > 0 || !isSmall(shape))) {
            long[] next = Reduction.shape(shape, factors(shape));
            if (Arrays.equals(next, shape)) {
                return count;
            }
            shape = next;
            count++;
        }
        return count;
    }

    /** Whether a plane, the last two axes of space, fits into an inner chunk. */
    private boolean isSmall(long[] shape) {
        int found = 0;
        for (int d = shape.length - 1; d >= 0 && found < 2; d--) {
            if (axes.get(d).isSpace()) {
                found++;
                if (shape[d] > chunk.get(d)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The array of a level. Chunks and shards are no larger than the level needs. */
    ArraySpec spec(int level) {
        long[] shape = shape(level);
        long[] inner = plain(chunk);
        for (int d = 0; d < inner.length; d++) {
            inner[d] = Math.min(inner[d], Math.max(1, shape[d]));
        }
        long[] stored = shard.map(PyramidPlan::plain).orElseGet(() -> {
            double bytes = elementSize;
            for (long length : inner) {
                bytes *= length;
            }
            return ShardLayout.automaticShape(shape, inner, bytes);
        });
        for (int d = 0; d < stored.length; d++) {
            long most = (Math.max(1, shape[d]) - 1) / inner[d] * inner[d] + inner[d];
            stored[d] = inner[d] == chunk.get(d) ? Math.min(stored[d], most) : most;
        }
        return ArraySpec.of(array.dataType(), shape)
                .withFillValue(array.fillValue().orElseThrow())
                .withChunkShape(inner)
                .withShardShape(stored)
                .withCodecs(codecs.toArray(Json[]::new))
                .withDimensionNames(axes.stream().map(Axis::name).toArray(String[]::new));
    }

    static String path(int level) {
        return String.valueOf(level);
    }

    /** The metadata of the group. */
    OmeMetadata metadata(int count) {
        List<Dataset> datasets = new ArrayList<>();
        List<Double> scale = pixelSize;
        List<Double> translation = pixelSize.stream().map(size -> 0.0).toList();
        for (int level = 0; level < count; level++) {
            datasets.add(Dataset.of(path(level), scale, translation));
            int[] by = factors(shape(level));
            translation = shifted(translation, scale, by);
            scale = times(scale, by);
        }
        Json method =
                Json.object().with("method", Json.of("shardkit pyramid")).with("reducer", Json.of(reducer.text()));
        Multiscale image = Multiscale.of(axes, datasets).withMethod(reducer.text(), method);
        OmeMetadata metadata = OmeMetadata.empty(OmeVersion.V0_5)
                .withMultiscales(List.of(name.map(image::withName).orElse(image)));
        return label.map(metadata::withImageLabel).orElse(metadata);
    }

    private static List<Double> times(List<Double> scale, int[] by) {
        List<Double> result = new ArrayList<>();
        for (int d = 0; d < by.length; d++) {
            result.add(scale.get(d) * by[d]);
        }
        return result;
    }

    /** The middle of the first block; with {@link Reducer#NEAREST}, the place of the element that is kept. */
    private List<Double> shifted(List<Double> translation, List<Double> scale, int[] by) {
        List<Double> result = new ArrayList<>();
        for (int d = 0; d < by.length; d++) {
            double middle = reducer == Reducer.NEAREST ? (by[d] - 1) / 2 : (by[d] - 1) / 2.0;
            result.add(translation.get(d) + scale.get(d) * middle);
        }
        return result;
    }

    /** What an unfinished image must have been made from, so that it can be resumed. */
    Bytes state(ZarrArray source) {
        StateDigest digest = new StateDigest();
        digest.add("shardkit pyramid");
        digest.add(source.location());
        digest.add(MetadataWriter.write(source.metadata()));
        digest.add(metadata(count()).attributes().toString());
        for (int level = 0; level < count(); level++) {
            ArraySpec spec = spec(level);
            digest.add(Arrays.toString(spec.chunkShape().orElseThrow()));
            digest.add(Arrays.toString(spec.shardShape().orElseThrow()));
        }
        digest.add(codecs.toString());
        return digest.bytes();
    }
}
