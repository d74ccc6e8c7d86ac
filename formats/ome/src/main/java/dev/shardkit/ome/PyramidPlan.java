package dev.shardkit.ome;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.copy.DimensionNames;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.MissingValues;
import dev.shardkit.spi.type.UnsignedAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the levels of a new image are made from and how. {@link PyramidLevels} has their shapes and metadata. An
 * immutable value.
 *
 * @param origin the physical coordinates of the element at index 0
 * @param omero how to show the channels
 * @param skipped the elements that do not count
 * @param missing their words
 * @param factors elements that become one, along each axis
 * @param levels the number of levels; 0 for as many as it takes until a plane fits into an inner chunk
 */
record PyramidPlan(
        OmeVersion version,
        ArraySpec array,
        List<Axis> axes,
        List<Double> pixelSize,
        List<Double> origin,
        Optional<Omero> omero,
        Reducer reducer,
        SkippedElements skipped,
        MissingValues missing,
        Optional<List<Integer>> factors,
        int levels,
        List<Long> chunk,
        Optional<List<Long>> shard,
        Optional<List<Json>> codecs,
        Optional<String> name,
        Optional<ImageLabel> label,
        int elementSize,
        Reduction.Check reducible) {
    static final int MAX_LEVELS = 32;
    private static final int MAX_FACTOR = 64;
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
                    DimensionNames.given(source).flatMap(names -> names.get(at)).orElse(known)));
        }
        long[] chunk = source.chunkShape();
        for (int d = 0; d < rank; d++) {
            chunk[d] = Math.max(1, Math.min(chunk[d], source.shape()[d]));
        }
        return new PyramidPlan(
                OmeVersion.V0_5,
                ArraySpec.of(source.dataType().json(), source.shape())
                        .withFillValue(source.dataType().formatFill(source.fillValue()))
                        .withAttributes(attributes(source)),
                axes,
                axes.stream().map(axis -> 1.0).toList(),
                axes.stream().map(axis -> 0.0).toList(),
                Optional.empty(),
                Reducer.MEAN,
                SkippedElements.MISSING,
                SkippedElements.MISSING.words(source),
                Optional.empty(),
                0,
                boxed(chunk),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                source.dataType().elementSize().orElse(0),
                reducer -> check(source, reducer));
    }

    private static void check(ZarrArray source, Reducer reducer) {
        boolean copies = reducer == Reducer.NEAREST || reducer == Reducer.MODE;
        if (!copies && UnsignedAttribute.contradicts(source.dataType(), source.attributes())) {
            throw new IllegalArgumentException(
                    "the attribute " + UnsignedAttribute.NAME
                            + " says that the elements have the other signedness than their data type, which the reducer "
                            + reducer.name().toLowerCase(Locale.ROOT)
                            + " does not read; choose nearest or mode, or write the elements in a type that says what they are");
        }
        Reduction.of(source.dataType(), reducer, MissingValues.NONE, new int[source.shape().length]);
    }

    /** The attributes of the source, without the list of its chunks. */
    private static Json.Obj attributes(ZarrArray source) {
        Map<String, Json> members = new LinkedHashMap<>(source.attributes().members());
        members.remove("nonempty_chunks");
        return new Json.Obj(members);
    }

    private static List<Long> boxed(long[] values) {
        return Arrays.stream(values).boxed().toList();
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
                version,
                array,
                newAxes,
                newSizes,
                origin,
                omero,
                newReducer,
                skipped,
                missing,
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
            OmeVersion newVersion,
            List<Long> newChunk,
            Optional<List<Long>> newShard,
            Optional<List<Json>> newCodecs,
            Optional<String> newName,
            Optional<ImageLabel> newLabel) {
        return new PyramidPlan(
                newVersion,
                array,
                axes,
                pixelSize,
                origin,
                omero,
                reducer,
                skipped,
                missing,
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

    PyramidPlan withVersion(OmeVersion other) {
        if (other == OmeVersion.V0_6) {
            throw new IllegalArgumentException("expected version 0.4 or 0.5, found " + other.text());
        }
        return copy(other, chunk, shard, codecs, name, label);
    }

    /** The codecs of inner chunks. Zarr v2 has the compressor that most of its readers know. */
    List<Json> innerCodecs() {
        return codecs.orElseGet(() -> List.of(
                version == OmeVersion.V0_4 ? Codecs.blosc("lz4", 5, Math.max(1, elementSize)) : Codecs.zstd(3)));
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

    PyramidPlan withOrigin(double... coordinates) {
        rank(coordinates.length, "coordinates");
        return copy(Arrays.stream(coordinates).boxed().toList(), omero);
    }

    /** A version that the statements carry is left out: it is that of the image they were read from. */
    PyramidPlan withOmero(Omero other) {
        Map<String, Json> members = new LinkedHashMap<>(other.others().members());
        members.remove("version");
        return copy(origin, Optional.of(new Omero(other.channels(), new Json.Obj(members))));
    }

    private PyramidPlan copy(List<Double> newOrigin, Optional<Omero> newOmero) {
        return new PyramidPlan(
                version,
                array,
                axes,
                pixelSize,
                newOrigin,
                newOmero,
                reducer,
                skipped,
                missing,
                factors,
                levels,
                chunk,
                shard,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    PyramidPlan withReducer(Reducer other) {
        return copy(axes, pixelSize, other, factors, levels);
    }

    PyramidPlan withSkipped(SkippedElements other, MissingValues words) {
        return new PyramidPlan(
                version,
                array,
                axes,
                pixelSize,
                origin,
                omero,
                reducer,
                other,
                words,
                factors,
                levels,
                chunk,
                shard,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    PyramidPlan withFactors(int... other) {
        rank(other.length, "factors");
        boolean reduces = false;
        for (int factor : other) {
            if (factor < 1 || factor > MAX_FACTOR) {
                throw new IllegalArgumentException("expected factors from 1 to " + MAX_FACTOR + ", found " + factor);
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
        if (other < 1 || other > MAX_LEVELS) {
            throw new IllegalArgumentException("expected 1 to " + MAX_LEVELS + " levels, found " + other);
        }
        return copy(axes, pixelSize, reducer, factors, other);
    }

    PyramidPlan withChunkShape(long... shape) {
        rank(shape.length, "lengths of chunks");
        return copy(version, boxed(shape), shard, codecs, name, label);
    }

    PyramidPlan withShardShape(long... shape) {
        rank(shape.length, "lengths of shards");
        return copy(version, chunk, Optional.of(boxed(shape)), codecs, name, label);
    }

    PyramidPlan withCodecs(Json... other) {
        return copy(version, chunk, shard, Optional.of(List.of(other)), name, label);
    }

    PyramidPlan withName(String other) {
        return copy(version, chunk, shard, codecs, Optional.of(other), label);
    }

    PyramidPlan withImageLabel(ImageLabel other) {
        return copy(version, chunk, shard, codecs, name, Optional.of(other));
    }

    /**
     * Checks that the metadata will follow the specification and that the elements can be reduced.
     *
     * @throws IllegalArgumentException if not
     */
    void check() {
        reducible.check(reducer);
        PyramidLevels made = new PyramidLevels(this, PyramidLevels.FIRST);
        if (version == OmeVersion.V0_4) {
            if (shard.isPresent()) {
                throw new IllegalArgumentException(
                        "OME-Zarr 0.4 is stored in Zarr v2, which has no shards; leave the shard shape out");
            }
            V2Documents.array(made.spec(0));
        }
        Findings findings = new Findings();
        OmeMetadata metadata = made.metadata(1);
        SchemaSet.of(version).check(metadata, SchemaSet.Strictness.REQUIRED, findings);
        new MetadataRules(metadata, findings).check();
        for (OmeFinding finding : findings.list()) {
            if (finding.severity() == OmeFinding.Severity.ERROR) {
                throw new IllegalArgumentException(
                        "these axes make no OME-Zarr image: " + finding.member()
                                + ": expected " + finding.expected() + ", found " + finding.found()
                                + "; name the axes of the array, such as t,c,z,y,x (--axes, Pyramid.withAxes): z, y and x are space");
            }
        }
    }
}
