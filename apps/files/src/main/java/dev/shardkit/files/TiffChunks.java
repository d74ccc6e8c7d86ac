package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The chunks of an array of pages, and its documents. Immutable.
 *
 * @param image the layout of a page
 * @param pages the pages
 * @param file the file
 * @param rows the number of rows of a chunk
 */
record TiffChunks(TiffImage image, List<TiffIndex.Directory> pages, TiffSource file, long rows) {
    static TiffChunks of(TiffImage image, List<TiffIndex.Directory> pages, TiffSource file) {
        int d = image.rowDimension();
        long height = image.shape().get(d);
        long rows = image.chunk().get(d);
        boolean isStrip = pages.get(0).all(TiffIndex.TILE_OFFSETS).length == 0;
        // Strips without compression can be divided, so that no chunk is shorter than others.
        boolean divides = isStrip && image.compression() == TiffImage.NONE && !image.predictor();
        return new TiffChunks(image, pages, file, divides ? common(rows, height) : rows);
    }

    private static long common(long a, long b) {
        return b == 0 ? a : common(b, a % b);
    }

    /** Whether the last strip has fewer rows than others: tiles are always whole. */
    boolean isCut() {
        boolean isStrip = pages.get(0).all(TiffIndex.TILE_OFFSETS).length == 0;
        return isStrip && image.shape().get(image.rowDimension()) % rows != 0;
    }

    private boolean isStack() {
        return pages.size() > 1;
    }

    private List<Long> withPages(List<Long> lengths, long first) {
        List<Long> all = new ArrayList<>(lengths);
        if (isStack()) {
            all.add(0, first);
        }
        return all;
    }

    private List<Long> chunk() {
        List<Long> chunk = new ArrayList<>(image.chunk());
        chunk.set(image.rowDimension(), rows);
        return withPages(chunk, 1);
    }

    private int predictorAxis() {
        return image.shape().size() == 3 && !image.planes() ? -2 : -1;
    }

    private Json.Obj predictor() {
        return Json.object()
                .with("axis", Json.of(predictorAxis()))
                .with("dist", Json.of(1))
                .with("shape", Json.of(chunk()))
                .with("dtype", Json.of(image.dtype()));
    }

    /**
     * Returns the names of the dimensions, by the letters of tifffile: {@code I} of pages, {@code S} of samples,
     * {@code Y} and {@code X}.
     *
     * @param suffix follows each letter; levels of other lengths need other names
     */
    List<String> dimensionNames(String suffix) {
        List<String> names = new ArrayList<>(List.of("Y" + suffix, "X" + suffix));
        if (image.shape().size() > names.size()) {
            names.add(image.planes() ? 0 : 2, "S" + suffix);
        }
        if (isStack()) {
            names.add(0, "I" + suffix);
        }
        return names;
    }

    /**
     * Returns the document of Zarr v2, as tifffile writes it, but without a fill value, which xarray would take for the
     * value of missing elements. TIFF has none; without one, missing chunks read as zeros too.
     */
    Json.Obj v2() {
        Json.Obj delta = Json.object().with("id", Json.of("imagecodecs_delta"));
        for (Map.Entry<String, Json> member : predictor().members().entrySet()) {
            delta = delta.with(member.getKey(), member.getValue());
        }
        return Json.object()
                .with("zarr_format", Json.of(2))
                .with("shape", Json.of(withPages(image.shape(), pages.size())))
                .with("chunks", Json.of(chunk()))
                .with("dtype", Json.of(image.dtype()))
                .with("fill_value", new Json.Null())
                .with("order", Json.of("C"))
                .with("filters", image.predictor() ? new Json.Arr(List.of(delta)) : new Json.Null())
                .with("compressor", image.compressor())
                .with("dimension_separator", Json.of("."));
    }

    /**
     * Returns a document of Zarr v3 whose last chunks of rows are shorter.
     *
     * @param names the names of the dimensions
     */
    Json.Obj v3(List<String> names) {
        List<Json> codecs = new ArrayList<>();
        if (image.predictor()) {
            codecs.add(Json.extension("numcodecs.imagecodecs_delta", predictor()));
        }
        Json endian = Json.of(image.dtype().charAt(0) == '>' ? "big" : "little");
        codecs.add(Json.extension("bytes", Json.object().with("endian", endian)));
        if (image.compression() != TiffImage.NONE) {
            boolean isLzw = image.compression() == TiffImage.LZW;
            codecs.add(
                    isLzw
                            ? Json.extension("numcodecs.imagecodecs_lzw", Json.object())
                            : Json.extension("numcodecs.zlib", Json.object().with("level", Json.of(6))));
        }
        List<Json> edges = new ArrayList<>();
        List<Long> shape = withPages(image.shape(), pages.size());
        List<Long> chunk = chunk();
        for (int d = 0; d < shape.size(); d++) {
            List<Json> axis = new ArrayList<>();
            axis.add(Json.of(new long[] {chunk.get(d), shape.get(d) / chunk.get(d)}));
            if (shape.get(d) % chunk.get(d) != 0) {
                axis.add(Json.of(shape.get(d) % chunk.get(d)));
            }
            edges.add(new Json.Arr(axis));
        }
        String kind = image.dtype().charAt(1) == 'u' ? "uint" : image.dtype().charAt(1) == 'i' ? "int" : "float";
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of(kind + 8 * image.bytes()))
                .with(
                        "chunk_grid",
                        Json.extension(
                                "rectilinear",
                                Json.object()
                                        .with("kind", Json.of("inline"))
                                        .with("chunk_shapes", new Json.Arr(edges))))
                .with("chunk_key_encoding", Json.extension("v2", Json.object().with("separator", Json.of("."))))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(codecs))
                .with("attributes", Json.object())
                .with("dimension_names", Json.of(names));
    }

    /**
     * Returns the references of the chunks of all pages.
     *
     * @param most how many more the document may hold
     */
    Map<String, Json> references(long most) {
        Map<String, Json> references = new LinkedHashMap<>();
        for (int i = 0; i < pages.size(); i++) {
            TiffIndex.Directory page = pages.get(i);
            boolean tiled = page.all(TiffIndex.TILE_OFFSETS).length > 0;
            long[] offsets = page.all(tiled ? TiffIndex.TILE_OFFSETS : TiffIndex.STRIP_OFFSETS);
            long[] sizes = page.all(tiled ? TiffIndex.TILE_SIZES : TiffIndex.STRIP_SIZES);
            long[] cells = image.cells();
            long expected = 1;
            for (long n : cells) {
                expected *= n;
            }
            if (offsets.length != sizes.length || offsets.length != expected) {
                throw new CorruptDataException("TIFF: expected " + expected + " tiles or strips of page " + i
                        + ", found " + offsets.length + " offsets and " + sizes.length + " sizes");
            }
            for (int k = 0; k < offsets.length; k++) {
                put(references, most, isStack() ? i + "." : "", cells, k, offsets[k], sizes[k]);
            }
        }
        return references;
    }

    /** Puts a tile, a strip or the parts of a strip. One of no bytes was never written. */
    private void put(
            Map<String, Json> references, long most, String page, long[] cells, int number, long offset, long size) {
        if (size == 0) {
            return;
        }
        file.check(offset, size);
        long[] cell = new long[cells.length];
        long rest = number;
        for (int d = cells.length; d-- > 0; ) {
            cell[d] = rest % cells[d];
            rest /= cells[d];
        }
        int row = image.rowDimension();
        long parts = image.chunk().get(row) / rows;
        long height = image.shape().get(row);
        long strips = cell[row];
        long partSize = parts == 1 ? size : partBytes();
        long count = Math.min(parts, (height - strips * parts * rows + rows - 1) / rows);
        if (count > size / partSize) {
            throw new CorruptDataException("TIFF: expected a strip of at least " + (size / partSize + 1) * partSize
                    + " bytes at byte " + offset + ", found " + size);
        } else if (count > most - references.size()) {
            throw new UnsupportedException("TIFF: the images of this file need more than " + TiffSource.MAX_CHUNKS
                    + " chunks, which is the limit of a reference document; uncompressed strips are divided into"
                    + " chunks with the same number of rows");
        }
        for (long part = 0; part < count; part++) {
            cell[row] = strips * parts + part;
            StringBuilder key = new StringBuilder(page);
            for (int d = 0; d < cell.length; d++) {
                key.append(d == 0 ? "" : ".").append(cell[d]);
            }
            references.put(
                    key.toString(),
                    new Json.Arr(List.of(Json.of(file.url()), Json.of(offset + part * partSize), Json.of(partSize))));
        }
    }

    private long partBytes() {
        long bytes = image.bytes();
        for (int d = 0; d < image.chunk().size(); d++) {
            bytes *= d == image.rowDimension() ? rows : image.chunk().get(d);
        }
        return bytes;
    }
}
