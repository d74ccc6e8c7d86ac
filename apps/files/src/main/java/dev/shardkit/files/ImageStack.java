package dev.shardkit.files;

import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Images of one size and type, one after the other. Opens one file at a time. Not thread-safe. */
final class ImageStack implements ImportSource {
    private static final int MOST_IMAGES = 1 << 20;

    private final List<Path> files;
    private final List<Integer> counts;
    private final Images.Kind kind;
    private final long images;

    private ImageStack(List<Path> files, List<Integer> counts, Images.Kind kind) {
        this.files = List.copyOf(files);
        this.counts = List.copyOf(counts);
        this.kind = kind;
        this.images = counts.stream().mapToLong(n -> n).sum();
    }

    static ImageStack open(List<Path> files) throws IOException {
        if (files.isEmpty()) {
            throw new CorruptDataException("expected at least one image");
        }
        List<Integer> counts = new ArrayList<>();
        Images.Kind first = null;
        for (Path file : files) {
            try (Images images = Images.open(file)) {
                int count = images.count();
                if (count < 1 || count > MOST_IMAGES) {
                    throw new UnsupportedException(file + ": expected 1 to " + MOST_IMAGES + " images, found " + count);
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
        return new ImageStack(files, counts, first);
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
        if (images > 1) {
            shape.add(images);
        }
        shape.add((long) kind.height());
        shape.add((long) kind.width());
        if (kind.samples() > 1) {
            shape.add((long) kind.samples());
        }
        return shape.stream().mapToLong(n -> n).toArray();
    }

    @Override
    public void writeTo(ZarrArray array, Box region, Progress progress) throws IOException {
        long memory = Runtime.getRuntime().maxMemory() / 8;
        // a single image is a stream of rows, a stack one of images
        boolean isStack = images > 1;
        if (isStack && kind.rowBytes() * kind.height() > memory) {
            throw new UnsupportedException("an image of " + text(kind) + " exceeds an eighth of the heap, " + memory
                    + " bytes; raise the limit, for example with JAVA_TOOL_OPTIONS=-Xmx4g");
        }
        int rows = isStack ? kind.height() : (int) Math.max(1, Math.min(kind.height(), memory / 4 / kind.rowBytes()));
        long total = region.count();
        long done = 0;
        SliceOptions options = SliceOptions.defaults()
                .withBudgetBytes(Math.min(256L << 20, memory))
                .withRegion(region);
        try (SliceWriter writer = array.slices(0, options)) {
            for (int f = 0; f < files.size(); f++) {
                try (Images file = Images.open(files.get(f))) {
                    for (int i = 0; i < counts.get(f); i++) {
                        for (int y = 0; y < kind.height(); y += rows) {
                            int count = Math.min(rows, kind.height() - y);
                            writer.write(elements(array, region, isStack ? 1 : count, file.rows(i, kind, y, count)));
                            done += (long) count * kind.width() * kind.samples();
                            progress.at(array.path(), done, total);
                        }
                    }
                }
            }
        }
    }

    private static NdArray elements(ZarrArray array, Box region, int slices, Object values) {
        long[] shape = region.shape();
        shape[0] = slices;
        return NdArray.of(array.dataType(), shape, values);
    }

    @Override
    public void close() {}
}
