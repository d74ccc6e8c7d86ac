package dev.shardkit.files;

import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.ZarrArray;
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

/** Images of one size and type: one image, or a stack with one or more dimensions. Not thread-safe. */
final class ImageStack implements ImportSource {
    private static final int MAX_IMAGES = 1 << 20;
    /** The limit for pages that are read at once; a Java array can hold them. */
    private static final long MAX_SLICE_BYTES = 1 << 28;

    private final List<Path> files;
    private final List<Integer> counts;
    private final Images.Kind kind;
    private final PageOrder order;
    private final List<String> names;
    private final List<String> notes;

    private ImageStack(
            List<Path> files,
            List<Integer> counts,
            Images.Kind kind,
            PageOrder order,
            List<String> names,
            List<String> notes) {
        this.files = List.copyOf(files);
        this.counts = List.copyOf(counts);
        this.kind = kind;
        this.order = order;
        this.names = names;
        this.notes = notes;
    }

    /** Opens images whose pages may describe themselves. */
    static ImageStack open(List<Path> files) throws IOException {
        ImageStack plain = plain(files);
        if (files.size() > 1) {
            return plain;
        }
        Path file = files.get(0);
        String text;
        try (Images images = Images.open(file)) {
            text = images.description();
        }
        TiffDescription description = TiffDescription.of(file, text, plain.counts.get(0), plain.kind.samples());
        if (description instanceof TiffDescription.Pages pages) {
            return plain.with(pages.order());
        } else if (description instanceof TiffDescription.Unusable unusable) {
            String note = file + ": the pages are imported as one dimension, because " + unusable.reason();
            return new ImageStack(files, plain.counts, plain.kind, plain.order, plain.names, List.of(note));
        }
        return plain;
    }

    /** Opens images whose pages have given dimensions, the slowest first. */
    static ImageStack open(List<Path> files, List<PageDimension> dimensions) throws IOException {
        ImageStack plain = plain(files);
        long images = plain.counts.stream().mapToLong(n -> n).sum();
        PageOrder order = PageOrder.of(dimensions, images)
                .orElseThrow(() -> new IllegalArgumentException("the dimensions " + PageOrder.text(dimensions)
                        + " do not multiply to the number of images, " + images));
        ImageStack stack = plain.with(order);
        if (Set.copyOf(stack.names).size() < stack.names.size()) {
            throw new IllegalArgumentException("expected names that differ, found " + stack.names);
        }
        return stack;
    }

    private ImageStack with(PageOrder found) {
        List<String> all = new ArrayList<>();
        found.axes().forEach(axis -> all.add(axis.name()));
        all.add("y");
        all.add("x");
        if (kind.samples() > 1) {
            all.add("s");
        }
        return new ImageStack(files, counts, kind, found, List.copyOf(all), notes);
    }

    private static ImageStack plain(List<Path> files) throws IOException {
        if (files.isEmpty()) {
            throw new CorruptDataException("expected at least one image");
        }
        List<Integer> counts = new ArrayList<>();
        Images.Kind first = null;
        for (Path file : files) {
            try (Images images = Images.open(file)) {
                int count = images.count();
                if (count < 1 || count > MAX_IMAGES) {
                    throw new UnsupportedException(file + ": expected 1 to " + MAX_IMAGES + " images, found " + count);
                }
                counts.add(count);
                for (int i = 0; i < count; i++) {
                    Images.Kind found = images.kind(i);
                    first = first == null ? found : first;
                    if (!found.equals(first)) {
                        throw new CorruptDataException(file + ", image " + i + ": expected " + text(first) + " as in "
                                + files.get(0) + ", found " + text(found));
                    }
                }
            }
        }
        long images = counts.stream().mapToLong(n -> n).sum();
        PageOrder order = new PageOrder(images > 1 ? List.of(new PageOrder.Axis("", images, 1)) : List.of());
        return new ImageStack(files, counts, first, order, List.of(), List.of());
    }

    private static String text(Images.Kind kind) {
        return kind.width() + " x " + kind.height() + " pixels of " + kind.samples() + " " + kind.dataType();
    }

    @Override
    public Json dataType() {
        return Json.of(kind.dataType());
    }

    @Override
    public long[] shape() {
        List<Long> shape = new ArrayList<>();
        order.axes().forEach(axis -> shape.add(axis.length()));
        shape.add((long) kind.height());
        shape.add((long) kind.width());
        if (kind.samples() > 1) {
            shape.add((long) kind.samples());
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
        long memory = Runtime.getRuntime().maxMemory() / 8;
        SliceOptions options = SliceOptions.defaults().withBudgetBytes(Math.min(256L << 20, memory));
        Output out = new Output(array, region, progress);
        try (PageReader pages = new PageReader(files, counts, kind)) {
            if (order.axes().isEmpty()) {
                writeRows(pages, out, options.withRegion(region), memory);
                return;
            }
            long pageBytes = kind.rowBytes() * kind.height();
            if (pageBytes > memory) {
                throw new UnsupportedException("an image of " + text(kind) + " exceeds an eighth of the heap, " + memory
                        + " bytes; raise the limit, for example with JAVA_TOOL_OPTIONS=-Xmx4g");
            }
            int depth = order.axes().size() - 1;
            long most = Math.min(MAX_SLICE_BYTES, memory) / pageBytes;
            for (PageBlocks blocks = PageBlocks.of(array, region, depth, most); blocks.hasNext(); ) {
                Box block = blocks.next();
                try (SliceWriter writer = array.slices(depth, options.withRegion(block))) {
                    writeSlices(pages, out, writer, block, depth);
                }
            }
        }
    }

    /** Where elements go, and how many have gone there. */
    private static final class Output {
        private final ZarrArray array;
        private final Box region;
        private final Progress progress;
        private long done;

        Output(ZarrArray array, Box region, Progress progress) {
            this.array = array;
            this.region = region;
            this.progress = progress;
        }

        void write(SliceWriter writer, long[] shape, Object values) {
            writer.write(NdArray.of(array.dataType(), shape, values));
            done += Shapes.count(shape);
            progress.at(array.path(), done, region.count());
        }
    }

    /** Writes a single image, which is a stream of rows. */
    private void writeRows(PageReader pages, Output out, SliceOptions options, long memory) throws IOException {
        int rows = (int) Math.max(1, Math.min(kind.height(), memory / 4 / kind.rowBytes()));
        try (SliceWriter writer = out.array.slices(0, options)) {
            for (int y = 0; y < kind.height(); y += rows) {
                long[] shape = out.region.shape();
                shape[0] = Math.min(rows, kind.height() - y);
                out.write(writer, shape, pages.rows(0, y, (int) shape[0]));
            }
        }
    }

    /** Writes a block of pages, as slices along the last dimension of pages. */
    private void writeSlices(PageReader pages, Output out, SliceWriter writer, Box block, int depth)
            throws IOException {
        long[] shape = block.shape();
        shape[depth] = 1;
        int count = Math.toIntExact(Shapes.count(Arrays.copyOf(shape, depth)));
        long[] index = new long[depth + 1];
        for (long z = 0; z < block.shape(depth); z++) {
            Object slice = null;
            for (int i = 0; i < count; i++) {
                long rest = i;
                for (int d = depth - 1; d >= 0; d--) {
                    index[d] = block.origin(d) - out.region.origin(d) + rest % shape[d];
                    rest /= shape[d];
                }
                index[depth] = z;
                Object page = pages.rows(order.page(index), 0, kind.height());
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
            out.write(writer, shape, slice);
        }
    }

    @Override
    public void close() {}
}
