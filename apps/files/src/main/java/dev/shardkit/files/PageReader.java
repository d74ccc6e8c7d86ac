package dev.shardkit.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the pages of several files by their numbers. Keeps one file open. Not thread-safe. */
final class PageReader implements AutoCloseable {
    private final List<Path> files;
    private final List<Integer> counts;
    private final Images.Kind kind;
    private int current;
    private int firstOfCurrent;
    private @Nullable Images open;

    PageReader(List<Path> files, List<Integer> counts, Images.Kind kind) {
        this.files = files;
        this.counts = counts;
        this.kind = kind;
    }

    /** Returns rows of a page as a Java array, samples of a pixel side by side. */
    Object rows(int page, int from, int count) throws IOException {
        int file = 0;
        int first = 0;
        if (page >= firstOfCurrent) {
            file = current;
            first = firstOfCurrent;
        }
        while (page - first >= counts.get(file)) {
            first += counts.get(file++);
        }
        Images images = open;
        if (images == null || file != current) {
            close();
            images = Images.open(files.get(file));
            open = images;
            current = file;
            firstOfCurrent = first;
        }
        return images.rows(page - first, kind, from, count);
    }

    @Override
    public void close() throws IOException {
        Images images = open;
        open = null;
        if (images != null) {
            images.close();
        }
    }
}
