package dev.shardkit.files;

import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.ZarrArray;
import dev.shardkit.files.image.Images;
import dev.shardkit.files.image.PageReader;
import dev.shardkit.files.image.RegionBlocks;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The import of one image, or of a stack of images of the same size and type. The images of a stack (pages) have one or
 * more dimensions of their own, such as time and channel. Not thread-safe.
 */
final class ImageStack implements ImportSource {
    private static final int MAX_IMAGES = 1 << 20;
    /** The maximum size of a slice, whose pages are in memory together. */
    private static final long MAX_SLICE_BYTES = 1 << 28;

    private final List<Path> files;
    /** The number of images in each file. */
    private final List<Integer> pageCounts;

    private final Images.ImageType imageType;
    private final PageOrder order;
    /** The names of the dimensions; empty if no description or option names them. */
    private final List<String> names;

    private final List<String> notes;

    private ImageStack(
            List<Path> files,
            List<Integer> pageCounts,
            Images.ImageType imageType,
            PageOrder order,
            List<String> names,
            List<String> notes) {
        this.files = List.copyOf(files);
        this.pageCounts = List.copyOf(pageCounts);
        this.imageType = imageType;
        this.order = order;
        this.names = names;
        this.notes = notes;
    }

    /** Opens images. If there is one file, a description in it may define the dimensions of the pages. */
    static ImageStack open(List<Path> files) throws IOException {
        ImageStack stack = openWithoutOrder(files);
        if (files.size() > 1) {
            return stack;
        }
        Path file = files.get(0);
        String text;
        try (Images images = Images.open(file)) {
            text = images.description();
        }
        TiffDescription description =
                TiffDescription.parse(file, text, stack.pageCounts.get(0), stack.imageType.samples());
        if (description instanceof TiffDescription.Pages pages) {
            return stack.withOrder(pages.order());
        } else if (description instanceof TiffDescription.Unusable unusable) {
            String note = file + ": the pages are imported as one dimension, because " + unusable.reason();
            return new ImageStack(files, stack.pageCounts, stack.imageType, stack.order, stack.names, List.of(note));
        }
        return stack;
    }

    /** Opens images whose pages have the given dimensions, the slowest first. */
    static ImageStack open(List<Path> files, List<PageDimension> dimensions) throws IOException {
        ImageStack stack = openWithoutOrder(files);
        long images = stack.pageCounts.stream().mapToLong(n -> n).sum();
        PageOrder order = PageOrder.create(dimensions, images)
                .orElseThrow(() -> new IllegalArgumentException("the dimensions " + PageOrder.toText(dimensions)
                        + " do not multiply to the number of images, " + images));
        ImageStack ordered = stack.withOrder(order);
        if (Set.copyOf(ordered.names).size() < ordered.names.size()) {
            throw new IllegalArgumentException("expected names that differ, found " + ordered.names);
        }
        return ordered;
    }

    private ImageStack withOrder(PageOrder pageOrder) {
        List<String> dimensionNames = new ArrayList<>();
        pageOrder.axes().forEach(axis -> dimensionNames.add(axis.name()));
        dimensionNames.add("y");
        dimensionNames.add("x");
        if (imageType.samples() > 1) {
            dimensionNames.add("s");
        }
        return new ImageStack(files, pageCounts, imageType, pageOrder, List.copyOf(dimensionNames), notes);
    }

    /** Opens images as a stack with one dimension of pages, which has no name. Checks that all have the same type. */
    private static ImageStack openWithoutOrder(List<Path> files) throws IOException {
        if (files.isEmpty()) {
            throw new CorruptDataException("expected at least one image");
        }
        List<Integer> pageCounts = new ArrayList<>();
        Images.ImageType firstType = null;
        for (Path file : files) {
            try (Images images = Images.open(file)) {
                int count = images.count();
                if (count < 1 || count > MAX_IMAGES) {
                    throw new UnsupportedException(file + ": expected 1 to " + MAX_IMAGES + " images, found " + count);
                }
                pageCounts.add(count);
                for (int i = 0; i < count; i++) {
                    Images.ImageType type = images.readType(i);
                    firstType = firstType == null ? type : firstType;
                    if (!type.equals(firstType)) {
                        throw new CorruptDataException(file + ", image " + i + ": expected " + describe(firstType)
                                + " as in " + files.get(0) + ", found " + describe(type));
                    }
                }
            }
        }
        long images = pageCounts.stream().mapToLong(n -> n).sum();
        PageOrder order = new PageOrder(images > 1 ? List.of(new PageOrder.Axis("", images, 1)) : List.of());
        return new ImageStack(files, pageCounts, firstType, order, List.of(), List.of());
    }

    private static String describe(Images.ImageType imageType) {
        return imageType.width() + " x " + imageType.height() + " pixels of " + imageType.samples() + " "
                + imageType.dataType();
    }

    @Override
    public Json dataType() {
        return Json.of(imageType.dataType());
    }

    @Override
    public long[] shape() {
        List<Long> shape = new ArrayList<>();
        order.axes().forEach(axis -> shape.add(axis.length()));
        shape.add((long) imageType.height());
        shape.add((long) imageType.width());
        if (imageType.samples() > 1) {
            shape.add((long) imageType.samples());
        }
        return shape.stream().mapToLong(n -> n).toArray();
    }

    @Override
    public List<String> dimensionNames() {
        return names;
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public void writeTo(ZarrArray array, Box region, Progress progress) throws IOException {
        long memory = Runtime.getRuntime().maxMemory() / 8; // the limit for elements of images in memory
        SliceOptions options = SliceOptions.defaults().withBudgetBytes(Math.min(256L << 20, memory));
        ElementSink sink = new ElementSink(array, region, progress);
        try (PageReader pages = new PageReader(files, pageCounts, imageType)) {
            if (order.axes().isEmpty()) {
                writeRows(pages, sink, options.withRegion(region), memory);
                return;
            }
            long pageBytes = imageType.rowBytes() * imageType.height();
            if (pageBytes > memory) {
                throw new UnsupportedException("an image of " + describe(imageType) + " exceeds an eighth of the heap, "
                        + memory + " bytes; raise the limit, for example with JAVA_TOOL_OPTIONS=-Xmx4g");
            }
            int sliceAxis = order.axes().size() - 1;
            long maxPages = Math.min(MAX_SLICE_BYTES, memory) / pageBytes;
            for (RegionBlocks blocks = RegionBlocks.create(array, region, sliceAxis, maxPages); blocks.hasNext(); ) {
                Box block = blocks.next();
                try (SliceWriter writer = array.slices(sliceAxis, options.withRegion(block))) {
                    writeSlices(pages, sink, writer, block, sliceAxis);
                }
            }
        }
    }

    /** Writes elements to the target, counts them and reports the progress. */
    private static final class ElementSink {
        private final ZarrArray array;
        private final Box region;
        private final Progress progress;
        private long elementsWritten;

        ElementSink(ZarrArray array, Box region, Progress progress) {
            this.array = array;
            this.region = region;
            this.progress = progress;
        }

        void write(SliceWriter writer, long[] shape, Object values) {
            writer.write(NdArray.of(array.dataType(), shape, values));
            elementsWritten += Shapes.count(shape);
            progress.at(array.path(), elementsWritten, region.count());
        }
    }

    /** Writes a single image, as many rows at a time as a quarter of {@code memory} holds. */
    private void writeRows(PageReader pages, ElementSink sink, SliceOptions options, long memory) throws IOException {
        int rows = (int) Math.max(1, Math.min(imageType.height(), memory / 4 / imageType.rowBytes()));
        try (SliceWriter writer = sink.array.slices(0, options)) {
            for (int firstRow = 0; firstRow < imageType.height(); firstRow += rows) {
                long[] shape = sink.region.shape();
                shape[0] = Math.min(rows, imageType.height() - firstRow);
                sink.write(writer, shape, pages.readRows(0, firstRow, (int) shape[0]));
            }
        }
    }

    /**
     * Writes a block of pages. Its slices follow one another along the last dimension of the pages. A slice has one
     * page for each index in the other dimensions of pages. A block is as long as the region in the last dimension, so
     * the indices of slices start at 0.
     */
    private void writeSlices(PageReader pages, ElementSink sink, SliceWriter writer, Box block, int sliceAxis)
            throws IOException {
        long[] shape = block.shape();
        shape[sliceAxis] = 1;
        int count = Math.toIntExact(Shapes.count(Arrays.copyOf(shape, sliceAxis)));
        long[] index = new long[sliceAxis + 1];
        for (long sliceIndex = 0; sliceIndex < block.shape(sliceAxis); sliceIndex++) {
            Object slice = null;
            for (int i = 0; i < count; i++) {
                long remaining = i; // the index of the page in its slice, in C order
                for (int d = sliceAxis - 1; d >= 0; d--) {
                    index[d] = block.origin(d) - sink.region.origin(d) + remaining % shape[d];
                    remaining /= shape[d];
                }
                index[sliceAxis] = sliceIndex;
                Object page = pages.readRows(order.pageAt(index), 0, imageType.height());
                int length = Array.getLength(page);
                if (slice == null) {
                    slice = count == 1
                            ? page
                            : Array.newInstance(page.getClass().getComponentType(), Math.multiplyExact(count, length));
                }
                if (count > 1) {
                    System.arraycopy(page, 0, slice, i * length, length);
                }
            }
            sink.write(writer, shape, slice);
        }
    }

    @Override
    public void close() {}
}
