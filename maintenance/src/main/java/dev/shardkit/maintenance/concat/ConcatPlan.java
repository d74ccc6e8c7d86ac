package dev.shardkit.maintenance.concat;

import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.maintenance.concat.Concatenation.Times;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.session.Settings;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan for concatenating arrays along one dimension: the new array's metadata, and the position of each source's
 * chunks. It throws if concatenation is impossible, before anything changes. Immutable.
 *
 * @param metadata the new array's metadata
 * @param placedSources the position of each source, in order
 */
record ConcatPlan(ArrayMetadata metadata, List<PlacedSource> placedSources) {
    /**
     * The position of a source.
     *
     * @param source its metadata
     * @param location its location, for messages
     * @param firstCell the number of chunks before this source in the new array, along the axis
     * @param firstIndex the number of elements before this source, along the axis
     * @param edgeCell the source's last cell along the axis if the stored chunk there is too long for the new array,
     *     else null
     * @param timeConversion the conversion of its elements to other time units; null if they stay unchanged
     */
    record PlacedSource(
            ArrayMetadata source,
            String location,
            long firstCell,
            long firstIndex,
            @Nullable Long edgeCell,
            @Nullable TimeConversion timeConversion) {
        /** Whether the source's chunk at {@code cell} must be encoded again. */
        boolean isEdge(long[] cell, int axis) {
            return edgeCell != null && edgeCell == cell[axis];
        }

        /** Returns the cell in the new array. */
        long[] toTarget(long[] cell, int axis) {
            long[] moved = cell.clone();
            moved[axis] += firstCell;
            return moved;
        }

        /** Converts a box of the source to a box of the new array. */
        Box toTarget(Box box, int axis) {
            long[] by = new long[box.rank()];
            by[axis] = firstIndex;
            return box.translate(by);
        }
    }

    /**
     * Plans the concatenation. Throws if it is impossible.
     *
     * @param described the metadata of the sources with the attributes that they inherit ({@link BoundsUnits})
     */
    static ConcatPlan of(
            List<ArrayMetadata> sources,
            List<ArrayMetadata> described,
            List<String> locations,
            int axis,
            Times times,
            Settings options) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("expected at least one array to concatenate, found none");
        }
        ArrayMetadata first = sources.get(0);
        if (axis < 0 || axis >= first.rank()) {
            throw new IllegalArgumentException("axis " + axis + " of arrays of " + first.rank() + " dimensions");
        }
        List<Optional<TimeConversion>> timeConversions = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            refuseUnsupported(sources.get(i), locations.get(i));
            requireCompatible(first, locations.get(0), sources.get(i), locations.get(i), axis);
            timeConversions.add(
                    timeConversion(described.get(0), locations.get(0), described.get(i), locations.get(i), times));
        }
        long[] shape = first.shape();
        long cells = 0;
        shape[axis] = 0;
        int last = lastNonEmpty(sources, axis);
        List<PlacedSource> placed = new ArrayList<>();
        List<ChunkLengthRuns> runsOfSources = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            ArrayMetadata source = sources.get(i);
            long length = source.shape()[axis];
            ChunkLengthRuns runs = ChunkLengthRuns.of(source.chunkGrid(), axis);
            long past = runs.end() - length; // elements of the last chunk beyond the end of the source
            boolean isEdgeTooLong = past > 0 && i < last;
            Long edge = isEdgeTooLong ? runs.cells() - 1 : null;
            placed.add(new PlacedSource(
                    source,
                    locations.get(i),
                    cells,
                    shape[axis],
                    edge,
                    timeConversions.get(i).orElse(null)));
            runsOfSources.add(
                    isEdgeTooLong
                            ? runs.withLast(
                                    runs.runs().get(runs.runs().size() - 1).length() - past)
                            : runs);
            shape[axis] = add(shape[axis], length);
            cells = add(cells, runs.cells());
        }
        return new ConcatPlan(
                metadata(first, shape, axis, ChunkLengthRuns.concat(runsOfSources), options), List.copyOf(placed));
    }

    /**
     * Returns the last source that has elements along the axis. Only its last chunk may extend past the end of the new
     * array.
     */
    private static int lastNonEmpty(List<ArrayMetadata> sources, int axis) {
        int last = sources.size() - 1;
        while (last > 0 && sources.get(last).shape()[axis] == 0) {
            last--;
        }
        return last;
    }

    private static long add(long a, long b) {
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException e) {
            throw new MetadataException("the arrays together have more than 2^63-1 elements or chunks along the axis");
        }
    }

    private static void refuseUnsupported(ArrayMetadata source, String location) {
        if (!source.storageTransformers().isEmpty()) {
            throw new UnsupportedException(
                    location + " has storage transformers, which put several chunks into one object; "
                            + "such arrays cannot be concatenated: make copies without them first (Copy)");
        }
        if (!source.ignoredCodecs().isEmpty()) {
            throw new UnsupportedException(location + " has codecs that no plug-in supports and reads skip ("
                    + source.ignoredCodecs()
                    + "); such arrays cannot be concatenated without a plug-in for the codecs");
        }
    }

    private static void requireCompatible(
            ArrayMetadata first, String firstLocation, ArrayMetadata other, String otherLocation, int axis) {
        requireSame("rank", first.rank(), firstLocation, other.rank(), otherLocation);
        Json.Obj firstDocument = MetadataWriter.document(first);
        Json.Obj otherDocument = MetadataWriter.document(other);
        for (String member : List.of("data_type", "fill_value")) {
            requireSame(
                    member,
                    firstDocument.get(member).orElseThrow(),
                    firstLocation,
                    otherDocument.get(member).orElseThrow(),
                    otherLocation);
        }
        requireSameLayout(
                "codecs",
                firstDocument.get("codecs").orElseThrow(),
                firstLocation,
                otherDocument.get("codecs").orElseThrow(),
                otherLocation);
        for (int d = 0; d < first.rank(); d++) {
            Optional<String> name = dimension(first, d);
            Optional<String> otherName = dimension(other, d);
            // dimensions in another order are refused; a dimension with another name is not
            if (name.isPresent()
                    && otherName.isPresent()
                    && first.dimensionNames().orElseThrow().contains(otherName)) {
                requireSame("name of dimension " + d, name.get(), firstLocation, otherName.get(), otherLocation);
            }
            if (d != axis) {
                requireSame(
                        "length in dimension " + d, first.shape()[d], firstLocation, other.shape()[d], otherLocation);
                requireSameLayout(
                        "chunk lengths in dimension " + d,
                        ChunkLengthRuns.of(first.chunkGrid(), d).json(),
                        firstLocation,
                        ChunkLengthRuns.of(other.chunkGrid(), d).json(),
                        otherLocation);
            }
        }
    }

    private static Optional<String> dimension(ArrayMetadata array, int d) {
        return array.dimensionNames().flatMap(names -> names.get(d));
    }

    /**
     * Refuses sources whose attributes give the elements another meaning. If only time units differ, returns the
     * conversion of the elements.
     */
    private static Optional<TimeConversion> timeConversion(
            ArrayMetadata first, String firstLocation, ArrayMetadata other, String otherLocation, Times times) {
        Optional<String> name = DecodingAttributes.findDifference(first.attributes(), other.attributes());
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<TimeConversion> conversion =
                name.get().equals("units") ? TimeConversion.of(other, otherLocation, first) : Optional.empty();
        if (times == Times.RECODE && conversion.isPresent()) {
            Json.Obj withSameUnits = other.attributes()
                    .with("units", first.attributes().get("units").orElseThrow());
            name = DecodingAttributes.findDifference(first.attributes(), withSameUnits);
            if (name.isEmpty()) {
                return conversion;
            }
        }
        throw new MetadataException("the new array has the attributes of the first one, so arrays must have the same "
                + name.get() + ", which says what elements mean: expected " + value(first, name.get()) + " as in "
                + firstLocation
                + ", found " + value(other, name.get()) + " in " + otherLocation
                + (conversion.isPresent() && times == Times.REFUSE
                        ? "; to change the times to the units of the first array, use concat --to URL with "
                                + "recodingTimes"
                        : "; if the elements mean the same, give the arrays the same attribute first"));
    }

    private static String value(ArrayMetadata array, String name) {
        return array.attributes().get(name).map(Json::toString).orElse("no " + name);
    }

    private static void requireSame(
            String what, Object expected, String firstLocation, Object found, String otherLocation) {
        requireSame(what, expected, firstLocation, found, otherLocation, "");
    }

    /** Compares members that a copy with another layout could change. */
    private static void requireSameLayout(
            String what, Json expected, String firstLocation, Json found, String otherLocation) {
        requireSame(
                what,
                expected,
                firstLocation,
                found,
                otherLocation,
                "; concatenate a copy with the layout of the first array instead (Copy)");
    }

    private static void requireSame(
            String what, Object expected, String firstLocation, Object found, String otherLocation, String advice) {
        if (!expected.equals(found)) {
            throw new MetadataException("arrays are concatenated without decoding, so they must have the same " + what
                    + ": expected " + expected + " as in " + firstLocation + ", found " + found + " in " + otherLocation
                    + advice);
        }
    }

    /**
     * Builds the metadata: a regular grid if all chunks have one shape, because every reader supports it; otherwise a
     * rectilinear grid.
     */
    private static ArrayMetadata metadata(
            ArrayMetadata first, long[] shape, int axis, ChunkLengthRuns along, Settings options) {
        List<ChunkLengthRuns> runsOfDimensions = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            runsOfDimensions.add(d == axis ? along : ChunkLengthRuns.of(first.chunkGrid(), d));
        }
        Json grid;
        if (runsOfDimensions.stream()
                .allMatch(e -> e.runs().isEmpty() || e.uniformLength().isPresent())) {
            long[] chunkShape = Arrays.stream(new ChunkPlans(first, "", options.limits())
                            .firstChunk()
                            .shape())
                    .toArray();
            Arrays.setAll(
                    chunkShape, d -> runsOfDimensions.get(d).uniformLength().orElse(chunkShape[d]));
            grid = RegularGrid.metadata(chunkShape);
        } else {
            grid = Json.extension(
                    "rectilinear",
                    Json.object()
                            .with("kind", Json.of("inline"))
                            .with(
                                    "chunk_shapes",
                                    new Json.Arr(runsOfDimensions.stream()
                                            .map(ChunkLengthRuns::json)
                                            .toList())));
        }
        Map<String, Json> attributes = new LinkedHashMap<>(first.attributes().members());
        attributes.remove(NonemptyChunksAttribute.ATTRIBUTE);
        Json.Obj document = MetadataWriter.document(first)
                .with("shape", Json.of(shape))
                .with("chunk_grid", grid)
                .with("attributes", new Json.Obj(attributes));
        try {
            return (ArrayMetadata) new MetadataReader(options.registry().get(), options.limits()).read(document);
        } catch (ZarrException e) {
            throw new MetadataException(
                    "the stored chunks do not form an array: " + e.fact() + " (where an array ends within a chunk, "
                            + "that chunk would have to be " + along.json()
                            + " long); concatenate copies with other chunks instead (Copy)",
                    e);
        }
    }
}
