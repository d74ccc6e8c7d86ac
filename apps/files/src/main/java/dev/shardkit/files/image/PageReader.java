package dev.shardkit.files.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of several image files, numbered across all files. Keeps the file of the last read open. Not thread-safe.
 */
public final class PageReader implements AutoCloseable {
    private final List<Path> files;
    private final List<Integer> pageCounts;
    private final Images.ImageType imageType;
    /** The index of the file that was opened last. */
    private int currentFile;

    private int firstPageOfCurrent;
    private @Nullable Images openImages;

    /**
     * Creates a reader.
     *
     * @param pageCounts the number of pages in each file
     * @param imageType the size and data type that all pages must have
     */
    public PageReader(List<Path> files, List<Integer> pageCounts, Images.ImageType imageType) {
        this.files = files;
        this.pageCounts = pageCounts;
        this.imageType = imageType;
    }

    /** Returns rows of a page as a Java array. Samples of a pixel are adjacent. */
    public Object readRows(int page, int firstRow, int count) throws IOException {
        int file = 0;
        int firstPage = 0;
        if (page >= firstPageOfCurrent) { // search from the current file on, because pages are mostly read in order
            file = currentFile;
            firstPage = firstPageOfCurrent;
        }
        while (page - firstPage >= pageCounts.get(file)) {
            firstPage += pageCounts.get(file++);
        }
        Images images = openImages;
        if (images == null || file != currentFile) {
            close();
            images = Images.open(files.get(file));
            openImages = images;
            currentFile = file;
            firstPageOfCurrent = firstPage;
        }
        return images.readRows(page - firstPage, imageType, firstRow, count);
    }

    @Override
    public void close() throws IOException {
        Images images = openImages;
        openImages = null;
        if (images != null) {
            images.close();
        }
    }
}
