package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrView;
import dev.shardkit.files.export.ArrayFile;
import dev.shardkit.files.export.CsvFile;
import dev.shardkit.files.export.NpyFile;
import dev.shardkit.files.export.PngExport;
import dev.shardkit.files.export.TiffExport;
import dev.shardkit.files.export.TiffLayout;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Exports an array, a region of it, or the arrays of a group to a file of another format. Holds at most an eighth of
 * the heap of elements at a time, so arrays may be larger than memory. Writes the file from the start to the end, so
 * the target may be a stream. Immutable and thread-safe.
 */
public final class Export {
    /** The number of exported elements has at most this many bits. No file holds more elements. */
    private static final int MAX_COUNT_BITS = 53;

    private final ZarrNode node;
    private final @Nullable Box region;
    /** For each dimension, the distance between exported elements; empty to export every element. */
    private final long[] steps;

    /** The layout of TIFF files; null to choose it by the size of the image. */
    private final @Nullable TiffLayout tiff;

    private final Progress progress;
    private final Optional<BiConsumer<String, String>> skippedListener;

    private Export(
            ZarrNode node,
            @Nullable Box region,
            long[] steps,
            @Nullable TiffLayout tiff,
            Progress progress,
            Optional<BiConsumer<String, String>> skippedListener) {
        this.node = node;
        this.region = region;
        this.steps = steps;
        this.tiff = tiff;
        this.progress = progress;
        this.skippedListener = skippedListener;
    }

    /** Creates the export of an array, or of all arrays of a group ({@link FileFormat#NPZ} only). */
    public static Export of(ZarrNode node) {
        return new Export(node, null, new long[0], null, (path, done, total) -> {}, Optional.empty());
    }

    /**
     * Returns this export for a region of the array.
     *
     * @throws IllegalArgumentException if the node is a group
     * @throws IndexOutOfBoundsException if the region exceeds the array
     */
    public Export within(Box view) {
        if (!(node instanceof ZarrArray array)) {
            throw new IllegalArgumentException("a group has no region");
        } else if (!array.domain().contains(view)) {
            throw new IndexOutOfBoundsException(
                    "region " + view + " of an array of shape " + Arrays.toString(array.shape()));
        }
        return new Export(node, view, steps, tiff, progress, skippedListener);
    }

    /**
     * Returns this export with square tiles in TIFF files. By default, images with a side of more than 4,096 pixels
     * have tiles of 256 pixels, unless 256 rows take more than 64 MiB. All other images have strips of rows. Other
     * formats have no tiles.
     *
     * @param pixels the side of a tile, a positive multiple of 16; 0 for strips
     * @throws IllegalArgumentException if {@code pixels} is not valid
     */
    public Export withTiles(int pixels) {
        if (pixels < 0 || pixels % 16 != 0 || pixels > 1 << 13) {
            throw new IllegalArgumentException(
                    "expected tiles of a multiple of 16 pixels, at most 8192, found " + pixels);
        }
        return new Export(node, region, steps, new TiffLayout(pixels), progress, skippedListener);
    }

    /** Returns this export with a listener that receives the number of elements read. */
    public Export withProgress(Progress listener) {
        return new Export(node, region, steps, tiff, listener, skippedListener);
    }

    /**
     * Returns this export, which skips arrays of a group that an archive cannot hold, such as text of variable length.
     * By default, such an array is an error, and nothing is written.
     *
     * @param listener receives the path of each skipped array and the reason, before anything is written
     */
    public Export withLeftOut(BiConsumer<String, String> listener) {
        return new Export(node, region, steps, tiff, progress, Optional.of(listener));
    }

    /**
     * Returns this export for every n-th element of the region in each dimension, starting with the first one.
     *
     * @throws IllegalArgumentException if the node is a group, or unless there is a positive step for each dimension
     */
    public Export withSteps(long... newSteps) {
        if (!(node instanceof ZarrArray array)
                || newSteps.length != array.shape().length
                || Arrays.stream(newSteps).anyMatch(step -> step < 1)) {
            throw new IllegalArgumentException(
                    "expected a positive step for each dimension of an array, found " + Arrays.toString(newSteps));
        }
        return new Export(node, region, newSteps.clone(), tiff, progress, skippedListener);
    }

    /**
     * Writes the file. Replaces an existing file only when the new one is complete, so a failure leaves it unchanged.
     *
     * @throws IllegalArgumentException if the format cannot hold a region of this shape, such as a volume in PNG
     * @throws UnsupportedException if the format cannot hold elements of this type
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the file cannot be written
     */
    public void to(Path file, FileFormat format) throws IOException {
        OutputFile.write(file, out -> to(out, format));
    }

    /**
     * Writes the file to a stream, which stays open. If the format cannot hold the array, nothing is written.
     *
     * @throws IllegalArgumentException if the format cannot hold a region of this shape, such as a volume in PNG
     * @throws UnsupportedException if the format cannot hold elements of this type
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the stream throws it
     */
    public void to(OutputStream out, FileFormat format) throws IOException {
        if (format == FileFormat.NPZ) {
            writeArchive(out);
        } else if (node instanceof ZarrArray array) {
            refuseHuge(array);
            write(array, viewOf(array), create(format, array, boxOf(array), Optional.ofNullable(tiff)), out);
        } else {
            throw new UnsupportedException("a group is exported to npz only; choose one array for " + format);
        }
    }

    /** Throws if a region has 2^53 elements or more, because no file holds them. */
    private void refuseHuge(ZarrArray array) {
        long[] viewShape = viewOf(array).shape();
        BigInteger count = Shapes.exactCount(viewShape);
        if (count.bitLength() > MAX_COUNT_BITS) {
            throw new UnsupportedException("the region " + Arrays.toString(viewShape) + " has " + count
                    + " elements; at most 2^53 are written: choose a smaller region");
        }
    }

    private ZarrView viewOf(ZarrArray array) {
        ZarrView view = array.view(region == null ? array.domain() : region);
        for (int d = 0; d < steps.length; d++) {
            view = view.range(d, 0, view.shape()[d], steps[d]);
        }
        return view;
    }

    private Box boxOf(ZarrArray array) {
        return Box.of(viewOf(array).shape());
    }

    /**
     * Writes an array as a file. Throws if the array was deleted or replaced during the export, because chunks that
     * were gone by then have been read as the fill value.
     */
    private void write(ZarrArray array, ZarrView view, ArrayFile file, OutputStream out) throws IOException {
        long total = Box.of(view.shape()).count();
        long[] elementsRead = {0};
        file.write(
                sink -> {
                    Slabs.Sink counting = elements -> {
                        sink.accept(elements);
                        elementsRead[0] += elements.count();
                        progress.at(array.path(), elementsRead[0], total);
                    };
                    if (Arrays.stream(steps).allMatch(step -> step == 1)) {
                        // A region lists the stored chunks once and reads only these; a view cannot do that.
                        Slabs.read(array, region == null ? array.domain() : region, counting);
                    } else {
                        Slabs.read(array, view, counting);
                    }
                },
                out);
        SourceCheck.confirm(array);
    }

    private void writeArchive(OutputStream out) throws IOException {
        Map<String, ZarrArray> arrays = new LinkedHashMap<>();
        Map<String, ArrayFile> files = new LinkedHashMap<>();
        if (node instanceof ZarrArray array) {
            arrays.put("arr_0", array); // the name that numpy.savez uses
        } else {
            collectArrays((ZarrGroup) node, "", arrays);
        }
        arrays.forEach((name, array) -> createNpyFile(name, array).ifPresent(file -> files.put(name, file)));
        if (files.isEmpty() && !arrays.isEmpty()) {
            throw new UnsupportedException("an npz file can hold none of the " + arrays.size() + " arrays");
        }
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.setLevel(Deflater.BEST_SPEED);
        for (Map.Entry<String, ArrayFile> entry : files.entrySet()) {
            zip.putNextEntry(new ZipEntry(entry.getKey() + ".npy"));
            ZarrArray array = Objects.requireNonNull(arrays.get(entry.getKey()));
            write(array, viewOf(array), entry.getValue(), zip);
            zip.closeEntry();
        }
        zip.finish();
    }

    /**
     * Creates the file of a region.
     *
     * @param tiff the layout of a TIFF file; empty to choose it by the size of the image
     * @throws IllegalArgumentException if the format cannot hold the region's shape
     * @throws dev.shardkit.spi.error.UnsupportedException if the format cannot hold the elements
     */
    private static ArrayFile create(FileFormat format, ZarrArray array, Box region, Optional<TiffLayout> tiff) {
        return switch (format) {
            case NPY -> NpyFile.create(array, region);
            case CSV -> CsvFile.create(array, region);
            case PNG -> PngExport.create(array, region);
            case TIFF -> TiffExport.create(array, region, tiff);
            case NPZ -> throw new IllegalArgumentException("an npz file holds several arrays");
        };
    }

    /** Creates the file of an array in an archive; empty if the archive cannot hold the array and may skip it. */
    private Optional<ArrayFile> createNpyFile(String name, ZarrArray array) {
        try {
            refuseHuge(array);
            return Optional.of(create(FileFormat.NPY, array, boxOf(array), Optional.ofNullable(tiff)));
        } catch (UnsupportedException e) {
            if (node == array) {
                throw e;
            } else if (skippedListener.isEmpty()) {
                throw new UnsupportedException("array " + name + ": " + e.fact() + "; leave it out", e);
            }
            skippedListener.get().accept(name, e.fact());
            return Optional.empty();
        }
    }

    private static void collectArrays(ZarrGroup group, String path, Map<String, ZarrArray> arrays) {
        group.children().forEach((name, child) -> {
            String childPath = StoreKeys.join(path, name);
            if (child instanceof ZarrArray array) {
                arrays.put(childPath, array);
            } else {
                collectArrays((ZarrGroup) child, childPath, arrays);
            }
        });
    }
}
