package dev.shardkit.ome.pyramid;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Omero;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.spi.grid.RegularGrid;
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
 * The settings with which a pyramid is written, with defaults from its source array. {@link PyramidLevels} computes the
 * shapes and metadata of levels from them. Immutable.
 *
 * @param version the version of OME-Zarr
 * @param array the specification of level 0: its data type, shape, fill value and attributes
 * @param axes the axes of the image
 * @param pixelSize the distance of elements along each axis
 * @param origin the physical coordinates of the element at index 0
 * @param omero the display settings of the channels
 * @param reducer the function that makes one element of a block of elements
 * @param skipped the elements that the reducer ignores, as the caller named them
 * @param missing the same elements as bit patterns of the data type
 * @param factors for each axis, the number of elements that become one; empty for the default
 * @param levels the number of levels; 0 to add levels until a plane fits into an inner chunk
 * @param chunkShape the shape of inner chunks
 * @param shardShape the shape of shards; empty for the default
 * @param codecs the codecs of inner chunks; empty for the default
 * @param name the name of the image
 * @param label the description of the labels; present for a label image only
 * @param elementSize the size of an element in bytes; 0 if elements have no fixed size
 * @param reducible checks whether a reducer supports the elements
 */
record PyramidSettings(
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
        List<Long> chunkShape,
        Optional<List<Long>> shardShape,
        Optional<List<Json>> codecs,
        Optional<String> name,
        Optional<ImageLabel> label,
        int elementSize,
        Reduction.Check reducible) {
    static final int MAX_LEVELS = 32;
    private static final int MAX_FACTOR = 64;
    /** The default names of axes. An array of fewer dimensions has the last ones. */
    private static final String DEFAULT_NAMES = "tczyx";

    /** Returns the default settings for an array. */
    static PyramidSettings of(ZarrArray source) {
        int rank = source.shape().length;
        if (rank < 2 || rank > DEFAULT_NAMES.length()) {
            throw new IllegalArgumentException(
                    "expected an array of 2 to 5 dimensions, as OME-Zarr demands, found " + rank);
        }
        List<Axis> axes = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            int dimension = d;
            String defaultName =
                    DEFAULT_NAMES.substring(DEFAULT_NAMES.length() - rank + d, DEFAULT_NAMES.length() - rank + d + 1);
            axes.add(Axis.named(DimensionNames.read(source)
                    .flatMap(names -> names.get(dimension))
                    .orElse(defaultName)));
        }
        long[] chunkShape = source.chunkShape();
        for (int d = 0; d < rank; d++) {
            chunkShape[d] = Math.max(1, Math.min(chunkShape[d], source.shape()[d]));
        }
        return new PyramidSettings(
                OmeVersion.V0_5,
                // the fill value is copied, so that elements that are not stored stay the same
                ArraySpec.of(source.dataType().json(), source.shape())
                        .withFillValue(source.dataType().formatFill(source.fillValue()))
                        .withAttributes(attributes(source)),
                axes,
                axes.stream().map(axis -> 1.0).toList(),
                axes.stream().map(axis -> 0.0).toList(),
                Optional.empty(),
                Reducer.defaultOf(source),
                SkippedElements.MISSING,
                SkippedElements.MISSING.words(source),
                Optional.empty(),
                0,
                toList(chunkShape),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                source.dataType().elementSize().orElse(0),
                reducer -> check(source, reducer));
    }

    /**
     * Returns the settings of an image that grows along its first dimension. This dimension is not reduced, and along
     * it, inner chunks and shards of all levels are as long as those of {@code source}.
     */
    PyramidSettings growing(ZarrArray source) {
        boolean[] isSlice = new boolean[source.shape().length];
        Arrays.fill(isSlice, 1, isSlice.length, true);
        return sliced(source, 0, isSlice);
    }

    /**
     * Returns the settings of an image that receives slices along one dimension, which may grow. Only dimensions of a
     * slice are reduced. In the others, inner chunks and shards of all levels are as long as those of {@code source}.
     *
     * @param along the dimension of the slices
     * @param isSlice for each dimension, whether it is a dimension of a slice
     * @throws IllegalArgumentException if the factors reduce a dimension that is neither {@code along} nor of a slice,
     *     or if they reduce no dimension of a slice
     */
    PyramidSettings sliced(ZarrArray source, int along, boolean[] isSlice) {
        long[] sourceShard =
                source.metadata().chunkGrid() instanceof RegularGrid grid ? grid.chunkShape() : source.chunkShape();
        long[] sourceChunk = source.chunkShape();
        long[] shape = array.shape();
        // the array may have no slices yet, so levels are planned for the length of one shard
        shape[along] = sourceShard[along];
        List<Long> inner = new ArrayList<>(chunkShape);
        List<Long> shard = new ArrayList<>(shardShape.orElse(toList(sourceShard)));
        int[] blocks = new int[shape.length];
        for (int d = 0; d < blocks.length; d++) {
            if (isSlice[d]) {
                blocks[d] =
                        factors.isPresent() ? factors.get().get(d) : axes.get(d).isSpace() ? 2 : 1;
                continue;
            }
            int own = d;
            if (d != along && factors.filter(all -> all.get(own) > 1).isPresent()) {
                throw new IllegalArgumentException(
                        "expected a factor of 1 for axis \"" + axes.get(d).name()
                                + "\", because a frame holds one index of it, found "
                                + factors.get().get(d));
            }
            blocks[d] = 1;
            inner.set(d, sourceChunk[d]);
            shard.set(d, sourceShard[d]);
        }
        PyramidSettings grown = new PyramidSettings(
                version,
                ArraySpec.of(array.dataType(), shape)
                        .withFillValue(array.fillValue().orElseThrow())
                        .withAttributes(array.attributes()),
                axes,
                pixelSize,
                origin,
                omero,
                reducer,
                skipped,
                missing,
                factors,
                levels,
                inner,
                Optional.of(shard),
                codecs,
                name,
                label,
                elementSize,
                reducible);
        return grown.withFactors(blocks);
    }

    /** Throws if the reducer does not support the elements of the source. */
    private static void check(ZarrArray source, Reducer reducer) {
        boolean keepsElements = reducer == Reducer.NEAREST || reducer == Reducer.MODE;
        if (!keepsElements && UnsignedAttribute.contradicts(source.dataType(), source.attributes())) {
            throw new IllegalArgumentException(
                    "the attribute " + UnsignedAttribute.NAME
                            + " says that the elements have the other signedness than their data type, which the reducer "
                            + reducer.name().toLowerCase(Locale.ROOT)
                            + " does not read; choose nearest or mode, or write the elements in a type that says what they are");
        }
        Reduction.of(source.dataType(), reducer, MissingValues.NONE, new int[source.shape().length]);
    }

    /** Returns the attributes of the source without {@code nonempty_chunks}, which lists the source's own chunks. */
    private static Json.Obj attributes(ZarrArray source) {
        Map<String, Json> members = new LinkedHashMap<>(source.attributes().members());
        members.remove("nonempty_chunks");
        return new Json.Obj(members);
    }

    private static List<Long> toList(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private void requireRank(int count, String noun) {
        if (count != axes.size()) {
            throw new IllegalArgumentException(
                    "expected " + axes.size() + " " + noun + ", one for each dimension, found " + count);
        }
    }

    /** Returns these settings with other values for some of the components. */
    private PyramidSettings copy(
            List<Axis> newAxes,
            List<Double> newSizes,
            Reducer newReducer,
            Optional<List<Integer>> newFactors,
            int newLevels) {
        return new PyramidSettings(
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
                chunkShape,
                shardShape,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    /** Returns these settings with other values for some of the components. */
    private PyramidSettings copy(
            OmeVersion newVersion,
            List<Long> newChunk,
            Optional<List<Long>> newShard,
            Optional<List<Json>> newCodecs,
            Optional<String> newName,
            Optional<ImageLabel> newLabel) {
        return new PyramidSettings(
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

    PyramidSettings withVersion(OmeVersion newValue) {
        if (newValue == OmeVersion.V0_6) {
            throw new IllegalArgumentException("expected version 0.4 or 0.5, found " + newValue.text());
        }
        return copy(newValue, chunkShape, shardShape, codecs, name, label);
    }

    /**
     * Returns the codecs of inner chunks. The default for OME-Zarr 0.4, which is stored in Zarr v2, is a compressor
     * that most of its readers support.
     */
    List<Json> innerCodecs() {
        return codecs.orElseGet(() -> List.of(
                version == OmeVersion.V0_4 ? Codecs.blosc("lz4", 5, Math.max(1, elementSize)) : Codecs.zstd(3)));
    }

    PyramidSettings withAxes(List<Axis> newValue) {
        requireRank(newValue.size(), "axes");
        return copy(List.copyOf(newValue), pixelSize, reducer, factors, levels);
    }

    PyramidSettings withPixelSize(double... sizes) {
        requireRank(sizes.length, "pixel sizes");
        for (double size : sizes) {
            if (!(size > 0) || Double.isInfinite(size)) {
                throw new IllegalArgumentException("expected positive pixel sizes, found " + size);
            }
        }
        return copy(axes, Arrays.stream(sizes).boxed().toList(), reducer, factors, levels);
    }

    PyramidSettings withOrigin(double... coordinates) {
        requireRank(coordinates.length, "coordinates");
        return copy(Arrays.stream(coordinates).boxed().toList(), omero);
    }

    /** Returns settings with these display settings. Drops their version, which belongs to the image they came from. */
    PyramidSettings withOmero(Omero newValue) {
        Map<String, Json> members = new LinkedHashMap<>(newValue.others().members());
        members.remove("version");
        return copy(origin, Optional.of(new Omero(newValue.channels(), new Json.Obj(members))));
    }

    private PyramidSettings copy(List<Double> newOrigin, Optional<Omero> newOmero) {
        return new PyramidSettings(
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
                chunkShape,
                shardShape,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    PyramidSettings withReducer(Reducer newValue) {
        return copy(axes, pixelSize, newValue, factors, levels);
    }

    PyramidSettings withSkipped(SkippedElements newValue, MissingValues words) {
        return new PyramidSettings(
                version,
                array,
                axes,
                pixelSize,
                origin,
                omero,
                reducer,
                newValue,
                words,
                factors,
                levels,
                chunkShape,
                shardShape,
                codecs,
                name,
                label,
                elementSize,
                reducible);
    }

    PyramidSettings withFactors(int... newValue) {
        requireRank(newValue.length, "factors");
        boolean reduces = false;
        for (int factor : newValue) {
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
                Optional.of(Arrays.stream(newValue).boxed().toList()),
                levels);
    }

    PyramidSettings withLevels(int newValue) {
        if (newValue < 1 || newValue > MAX_LEVELS) {
            throw new IllegalArgumentException("expected 1 to " + MAX_LEVELS + " levels, found " + newValue);
        }
        return copy(axes, pixelSize, reducer, factors, newValue);
    }

    PyramidSettings withChunkShape(long... shape) {
        requireRank(shape.length, "lengths of chunks");
        return copy(version, toList(shape), shardShape, codecs, name, label);
    }

    PyramidSettings withShardShape(long... shape) {
        requireRank(shape.length, "lengths of shards");
        return copy(version, chunkShape, Optional.of(toList(shape)), codecs, name, label);
    }

    PyramidSettings withCodecs(Json... newValue) {
        return copy(version, chunkShape, shardShape, Optional.of(List.of(newValue)), name, label);
    }

    PyramidSettings withName(String newValue) {
        return copy(version, chunkShape, shardShape, codecs, Optional.of(newValue), label);
    }

    PyramidSettings withImageLabel(ImageLabel newValue) {
        return copy(version, chunkShape, shardShape, codecs, name, Optional.of(newValue));
    }

    /**
     * Checks that the metadata will follow the specification and that the elements can be reduced.
     *
     * @throws IllegalArgumentException if not
     */
    void check() {
        reducible.check(reducer);
        PyramidLevels pyramidLevels = new PyramidLevels(this, PyramidLevels.FIRST);
        if (version == OmeVersion.V0_4) {
            if (shardShape.isPresent()) {
                throw new IllegalArgumentException(
                        "OME-Zarr 0.4 is stored in Zarr v2, which has no shards; leave the shard shape out");
            }
            V2Documents.arrayDocument(pyramidLevels.spec(0)); // throws if Zarr v2 cannot express level 0
        }
        int oneLevel = 1; // the checks are the same for more levels
        Json.Obj attributes = pyramidLevels.metadata(oneLevel).attributes();
        for (OmeFinding finding : OmeValidation.checkAttributes(attributes, "a new group")) {
            if (finding.severity() == OmeFinding.Severity.ERROR) {
                throw new IllegalArgumentException(
                        "these axes make no OME-Zarr image: " + finding.member()
                                + ": expected " + finding.expected() + ", found " + finding.found()
                                + "; name the axes of the array, such as t,c,z,y,x (--axes, Pyramid.withAxes): z, y and x are space");
            }
        }
    }
}
