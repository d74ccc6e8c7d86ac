package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.BoxWrites;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.creation.FormatGroups;
import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.ArrayCreation.NewArray;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Copies an array into another format, a box of whole chunks or shards at a time. The format's document is written
 * last. Immutable.
 */
final class FormatCopy {
    /** The maximum number of fill-value chunks that are written for chunks that the source does not store. */
    private static final long MAX_ABSENT = 100_000;

    private final String name;
    private final ArrayCreation creation;
    private final Store target;
    private final ZarrOptions options;

    private FormatCopy(String name, ArrayCreation creation, Store target, ZarrOptions options) {
        this.name = name;
        this.creation = creation;
        this.target = target;
        this.options = options;
    }

    /**
     * Returns the copy into {@code target}; empty if its location names no format.
     *
     * @throws UnsupportedException if it names a format that shardkit cannot create arrays in
     */
    private static Optional<FormatCopy> find(Store location, ZarrOptions options) {
        Store target = NamedFormat.choose(location, options.formats(), options.registry());
        Optional<ArrayCreation> found = NamedFormat.arrayCreation(target, options.registry());
        if (found.isEmpty()) {
            NamedFormat.refuseZarr(target);
        }
        return found.map(creation -> new FormatCopy(NamedFormat.name(target).orElseThrow(), creation, target, options));
    }

    /** Copies the array if the location of {@code target} names another format. Returns whether it did. */
    static boolean runIfFormatNamed(Copy copy, Store target, ZarrOptions options) {
        Optional<FormatCopy> other = find(target, options);
        other.ifPresent(format -> format.run(copy));
        return other.isPresent();
    }

    /** Refuses a target whose location names another format. */
    static void refuse(Store target, ZarrOptions options, String operation) {
        find(target, options).ifPresent(copy -> {
            throw new UnsupportedException(operation + ": expected a location of Zarr v3, found one of " + copy.name);
        });
    }

    private void run(Copy copy) {
        if (!(copy.source instanceof ZarrArray from)) {
            throw new UnsupportedException(
                    "a copy in the format " + name + ": expected an array, found a group; copy its arrays one by one");
        }
        if (copy.existing == IfExists.OVERWRITE || copy.overrides.indexLocation() != null) {
            throw new IllegalArgumentException("a copy in the format " + name
                    + " replaces nothing and has no index location: remove the target first");
        }
        Axes axes = Axes.of(from, creation.dimensions(), name);
        NewArray newArray = creation.describe(request(from, axes, copy.overrides));
        MetadataReader reader = new MetadataReader(options.registry(), options.limits());
        ArrayMetadata metadata = (ArrayMetadata) reader.read(newArray.document());
        try (ZarrArray to = Zarr.openArray(target, newArray.path(), metadata, options)) {
            refuseManyFillChunks(from, to, axes);
        }
        Destination destination = Destination.of(target).ofImport();
        destination.clear(IfExists.REFUSE);
        AllOrNothing.run(target, () -> {
            destination.begin("", options.durability()); // without a source, it is never resumed
            try (ZarrArray to = Zarr.openArray(target, newArray.path(), metadata, options)) {
                write(from, to, axes, newArray.writeShape(), copy.progress);
            }
            SourceCheck.confirm(from);
            destination.requireHeld();
            destination.put(newArray.key(), newArray.content(), options.durability());
            destination.finish(options);
            return NoResult.INSTANCE;
        });
        FormatGroups.makeRoot(new StoredNode(new Session(target, InternalAccess.inside(options, Settings.class)), ""));
    }

    private ArrayCreation.Request request(ZarrArray from, Axes axes, LayoutOverrides overrides) {
        Function<long[], long[]> shape = axes::toTarget;
        boolean isUnsharded = overrides.shardShape() == LayoutOverrides.UNSHARDED;
        return new ArrayCreation.Request(
                from.dataType().name(),
                axes.toTarget(from.shape()),
                Optional.ofNullable(overrides.chunkShape())
                        .or(() -> sourceChunkShape(from))
                        .map(shape),
                isUnsharded
                        ? Optional.empty()
                        : Optional.ofNullable(overrides.shardShape()).map(shape),
                from.attributes(),
                Optional.ofNullable(overrides.codecs()).map(this::encoding),
                creation.dimensions().isEmpty() ? Axes.names(from) : List.of());
    }

    /**
     * Returns the source's chunk shape if the format accepts any dimensions. Other formats choose their own chunk
     * shape.
     */
    private Optional<long[]> sourceChunkShape(ZarrArray from) {
        return creation.dimensions().isEmpty()
                        && from.metadata().chunkGrid().name().equals("regular")
                ? Optional.of(from.chunkShape())
                : Optional.empty();
    }

    private String encoding(Json[] codecs) {
        if (codecs.length == 1 && codecs[0] instanceof Json.Str s) {
            return s.value();
        }
        return creation.encodingLike(StatedCodec.withoutOrder(List.of(codecs)))
                .orElseThrow(() -> new IllegalArgumentException("a copy in the format " + name
                        + ": expected the name of one encoding, or codecs that one encoding is like, found "
                        + Arrays.toString(codecs)));
    }

    /** Copies all elements, in boxes of the shape {@code step} or, if chunks are listed, of as many elements. */
    private static void write(ZarrArray from, ZarrArray to, Axes axes, long[] step, Progress progress) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(from);
        Box whole = Box.of(axes.toTarget(from.shape()));
        long all = Math.max(1, Boxes.count(Box.of(ArrayInternals.of(to).cells())));
        // The target is new, so chunks that the source does not store stay absent.
        Optional<StoredBoxes> stored =
                StoredBoxes.madeOf(reads, to, axes::toTarget).filter(some -> some.count() < all);
        if (stored.isPresent()) {
            long[] done = {0};
            try (BoxWrites writes = new BoxWrites(to)) {
                stored.get()
                        .visit(
                                Boxes.count(Box.of(step)),
                                box -> {
                                    write(reads, to, axes, box, writes);
                                    done[0] +=
                                            ArrayInternals.of(to).touched(box).count();
                                    progress.at("", done[0], stored.get().count());
                                },
                                absent -> {});
                writes.finish();
            }
            return;
        }
        Box cells = whole.cells(step);
        try (BoxWrites writes = new BoxWrites(to)) {
            for (long i = 0; i < cells.count(); i++) {
                write(reads, to, axes, Box.cell(cells.at(i), step).intersect(whole), writes);
                progress.at("", i + 1, cells.count());
            }
            writes.finish();
        }
    }

    private static void write(UnchangedArrayReads from, ZarrArray to, Axes axes, Box box, BoxWrites writes) {
        // a dimension that the source lacks has length 1, so the elements are the same
        NdArray part = from.read(axes.toSource(box)).transpose(axes.order());
        writes.write(box, JavaArrayAdapters.feed(to.dataType(), box.shape(), part.array(), 0));
    }

    /**
     * Refuses a copy that would write too many chunks of fill values: formats without a fill value read absent chunks
     * as zeros, so absent chunks with another fill value must be written.
     */
    private void refuseManyFillChunks(ZarrArray from, ZarrArray to, Axes axes) {
        if (from.fillValue().equals(to.fillValue())) {
            return;
        }
        BigInteger all = Shapes.exactCount(ArrayInternals.of(to).cells());
        long stored = StoredBoxes.dependent(UnchangedArrayReads.ofWhole(from), to, axes::toTarget)
                .map(StoredBoxes::count)
                .orElse(all.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue());
        BigInteger absent = all.subtract(BigInteger.valueOf(stored));
        if (absent.compareTo(BigInteger.valueOf(MAX_ABSENT)) > 0) {
            throw new UnsupportedException("the fill value of the array is "
                    + from.dataType().formatFill(from.fillValue()) + ", and " + name
                    + " reads chunks that are not stored as " + to.dataType().formatFill(to.fillValue())
                    + ". So the copy would write " + absent + " chunks of the fill value beside the " + stored
                    + " that hold data; at most " + MAX_ABSENT
                    + " are written. Copy with larger chunks (--chunk-shape)");
        }
    }

    /**
     * Maps the dimensions of the target to those of the source.
     *
     * @param sourceDimensions for each dimension of the target, that of the source; -1 for one that the source lacks
     */
    private record Axes(int[] sourceDimensions) {
        static Axes of(ZarrArray from, List<String> dimensions, String format) {
            int rank = from.shape().length;
            if (dimensions.isEmpty()) {
                return new Axes(IntStream.range(0, rank).toArray());
            }
            List<String> names = names(from, dimensions);
            int[] sourceDimensions = new int[dimensions.size()];
            int found = 0;
            for (int d = 0; d < sourceDimensions.length; d++) {
                sourceDimensions[d] = names.indexOf(dimensions.get(d));
                found += sourceDimensions[d] >= 0 ? 1 : 0;
            }
            boolean lacksOthers = IntStream.range(0, sourceDimensions.length)
                    .anyMatch(d -> sourceDimensions[d] < 0 && !dimensions.get(d).equals(ArrayCreation.CHANNEL));
            if (found != rank || lacksOthers) {
                String there = names(from).isEmpty() ? rank + " dimensions without names" : names.toString();
                throw new IllegalArgumentException("a copy in the format " + format + ": expected the dimensions "
                        + dimensions + " in any order, the channel being optional, found " + there);
            }
            return new Axes(sourceDimensions);
        }

        /** Returns the names of the dimensions, an empty text for an unnamed one; none if all are unnamed. */
        static List<String> names(ZarrArray from) {
            List<Optional<String>> own = DimensionNames.read(from).orElse(List.of());
            return own.stream().anyMatch(Optional::isPresent)
                    ? own.stream().map(name -> name.orElse("")).toList()
                    : List.of();
        }

        /** Returns the names of the dimensions. If all are unnamed, returns the format's names in its order. */
        private static List<String> names(ZarrArray from, List<String> dimensions) {
            List<Optional<String>> own = DimensionNames.read(from).orElse(List.of());
            if (own.stream().anyMatch(Optional::isPresent)) {
                return own.stream()
                        .map(name -> name.orElse(""))
                        .map(name -> name.equals("c") ? ArrayCreation.CHANNEL : name)
                        .toList();
            }
            return from.shape().length == dimensions.size()
                    ? dimensions
                    : dimensions.stream()
                            .filter(name -> !name.equals(ArrayCreation.CHANNEL))
                            .toList();
        }

        long[] toTarget(long[] lengths) {
            return toTarget(lengths, 1);
        }

        Box toTarget(Box source) {
            return Box.of(toTarget(source.origin(), 0), toTarget(source.shape()));
        }

        /**
         * Reorders one number per source dimension to the target's order. Dimensions that the source lacks get
         * {@code other}.
         */
        private long[] toTarget(long[] lengths, long other) {
            if (lengths.length != order().length) {
                throw new IllegalArgumentException(
                        "expected a shape of " + order().length + " lengths, found " + Arrays.toString(lengths));
            }
            long[] target = new long[sourceDimensions.length];
            for (int d = 0; d < sourceDimensions.length; d++) {
                target[d] = sourceDimensions[d] < 0 ? other : lengths[sourceDimensions[d]];
            }
            return target;
        }

        Box toSource(Box target) {
            int rank = order().length;
            long[] origin = new long[rank];
            long[] shape = new long[rank];
            for (int d = 0; d < sourceDimensions.length; d++) {
                if (sourceDimensions[d] >= 0) {
                    origin[sourceDimensions[d]] = target.origin(d);
                    shape[sourceDimensions[d]] = target.shape(d);
                }
            }
            return Box.of(origin, shape);
        }

        int[] order() {
            return Arrays.stream(sourceDimensions).filter(d -> d >= 0).toArray();
        }
    }
}
