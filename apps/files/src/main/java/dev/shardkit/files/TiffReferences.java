package dev.shardkit.files;

import dev.shardkit.files.tiff.TiffChunks;
import dev.shardkit.files.tiff.TiffImageLayout;
import dev.shardkit.files.tiff.TiffIndex;
import dev.shardkit.files.tiff.TiffReferenceTarget;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document of references that describes the images of a TIFF or BigTIFF file as arrays of Zarr, whose chunks are
 * strips or tiles of the file. The references follow the conventions of the Python library tifffile. They form nodes of
 * Zarr v2, which fsspec and zarr-python read (LZW and the predictor need the Python library imagecodecs). Pages with
 * the same layout form one array, whose first dimension counts pages. If the file has smaller versions of its pages,
 * the node is a group: array {@code 0} contains the pages, and the arrays {@code 1}, {@code 2} and so on contain the
 * smaller versions. Immutable.
 *
 * @param references the references by key. They are the member {@code refs} of a document of version 1
 * @param leftOut the images that are not in the document, each with the reason
 * @param notes the images in the document that zarr-python does not read, each with the reason
 */
public record TiffReferences(Json.Obj references, List<String> leftOut, List<String> notes) {
    /** The bit of the tag NewSubfileType that marks a smaller version of another image. */
    private static final int REDUCED = 1;

    /** Copies the lists. */
    public TiffReferences {
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }

    /** Returns whether a file starts like TIFF. */
    public static boolean isTiff(byte[] firstBytes) {
        return TiffIndex.startsTiff(firstBytes);
    }

    /**
     * Reads the directories of a file. Reads no elements.
     *
     * @param store the store of the file
     * @param key the key of the file
     * @param url the URL of the file for the references
     * @throws StoreException if there is no such file
     */
    public static TiffReferences of(Store store, String key, String url) throws IOException {
        try (ObjectSnapshot file = BlockingStore.to(store)
                .open(key)
                .orElseThrow(() -> new StoreException("there is no file " + key + " in " + store.describe()))) {
            Builder builder = new Builder(new TiffReferenceTarget(url, file.size()));
            builder.add(TiffIndex.read(file));
            file.confirm();
            return new TiffReferences(new Json.Obj(builder.references), builder.leftOut, builder.notes);
        }
    }

    /** Pages with the same layout. */
    private record Stack(TiffImageLayout image, List<TiffIndex.Directory> pages) {}

    /** Collects the references of a file. */
    private static final class Builder {
        private final TiffReferenceTarget file;
        private long chunkCount;
        private final Map<String, Json> references = new LinkedHashMap<>();
        private final List<String> leftOut = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        Builder(TiffReferenceTarget file) {
            this.file = file;
        }

        /** Adds an array, or a group with an array for each size of image. */
        void add(List<TiffIndex.Directory> directories) {
            List<Stack> levels = collectLevels(directories);
            if (levels.size() == 1) {
                addArray("", levels.get(0));
                return;
            }
            references.put(".zgroup", Json.of("{\"zarr_format\":2}"));
            List<Json> datasets = new ArrayList<>();
            for (int i = 0; i < levels.size(); i++) {
                addArray(i + "", levels.get(i));
                datasets.add(Json.object().with("path", Json.of(i + "")));
            }
            Json scales = Json.object()
                    .with("version", Json.of("0.1"))
                    .with("name", Json.of(""))
                    .with("datasets", new Json.Arr(datasets));
            references.put(
                    ".zattrs",
                    Json.of(Json.object()
                            .with("multiscales", new Json.Arr(List.of(scales)))
                            .toString()));
        }

        /**
         * Returns the pages with the layout of the first page, then their smaller versions as a stack for each size.
         */
        private List<Stack> collectLevels(List<TiffIndex.Directory> directories) {
            Map<TiffImageLayout, List<TiffIndex.Directory>> levels = new LinkedHashMap<>();
            for (int i = 0; i < directories.size(); i++) {
                TiffIndex.Directory page = directories.get(i);
                boolean isReduced = (page.firstValue(TiffIndex.SUBFILE, 0) & REDUCED) != 0;
                if (addPage(levels, page, "page " + i, isReduced)) {
                    for (TiffIndex.Directory child : page.children()) {
                        addPage(levels, child, "a smaller version of page " + i, true);
                    }
                }
            }
            List<Stack> stacks = new ArrayList<>();
            levels.forEach((image, pages) -> stacks.add(new Stack(image, pages)));
            if (stacks.isEmpty()) {
                throw new UnsupportedException(leftOut.isEmpty() ? "TIFF: the file has no image" : leftOut.get(0));
            }
            return stacks;
        }

        /**
         * Adds a page to the pages with the same layout. Leaves out a page that has another layout than the first page,
         * unless it is a smaller version.
         *
         * @return whether the page was added
         */
        private boolean addPage(
                Map<TiffImageLayout, List<TiffIndex.Directory>> levels,
                TiffIndex.Directory page,
                String name,
                boolean isReduced) {
            try {
                TiffImageLayout image = TiffImageLayout.create(page);
                if (!levels.isEmpty() && !isReduced && !levels.containsKey(image)) {
                    leftOut.add(name + ": it has another layout than the first page");
                    return false;
                }
                levels.computeIfAbsent(image, layout -> new ArrayList<>()).add(page);
                return true;
            } catch (ZarrException e) {
                leftOut.add(name + ": " + e.fact());
                return false;
            }
        }

        /** Adds the document and the chunks of an array. */
        private void addArray(String path, Stack stack) {
            TiffChunks array = TiffChunks.create(stack.image(), stack.pages(), file);
            if (array.hasPartialStrip()) {
                notes.add((path.isEmpty() ? "the image" : "image " + path) + ": its last strip is shorter than "
                        + "others, so it is an array of Zarr v3 with a rectilinear grid, which zarr-python 3.1 does not "
                        + "read");
            }
            // The names of smaller versions end with the number of the array, because their lengths differ.
            List<String> names = array.dimensionNames(path.equals("0") ? "" : path);
            if (array.hasPartialStrip()) {
                references.put(
                        StoreKeys.join(path, "zarr.json"),
                        Json.of(array.documentV3(names).toString()));
            } else {
                references.put(
                        StoreKeys.join(path, ".zarray"),
                        Json.of(array.documentV2().toString()));
                references.put(
                        StoreKeys.join(path, ".zattrs"),
                        Json.of(Json.object()
                                .with("_ARRAY_DIMENSIONS", Json.of(names))
                                .toString()));
            }
            Map<String, Json> chunkReferences = array.createReferences(TiffReferenceTarget.MAX_CHUNKS - chunkCount);
            chunkCount += chunkReferences.size();
            chunkReferences.forEach((key, value) -> references.put(StoreKeys.join(path, key), value));
        }
    }
}
