package dev.shardkit.files.tiff;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes an array of TIFF pages in the terms of Zarr: its document of Zarr v2 or v3, and references to the bytes of
 * its tiles or strips. It reads no elements. Immutable.
 *
 * @param image the layout of a page
 * @param pages the pages
 * @param file the file
 * @param rows the number of rows of a chunk; fewer than those of a strip if strips are divided
 */
public record TiffChunks(TiffImageLayout image, List<TiffIndex.Directory> pages, TiffReferenceTarget file, long rows) {
    public static TiffChunks create(TiffImageLayout image, List<TiffIndex.Directory> pages, TiffReferenceTarget file) {
        int rowDimension = image.rowDimension();
        long height = image.shape().get(rowDimension);
        long rows = image.chunkShape().get(rowDimension);
        boolean isStrip = pages.get(0).valuesOf(TiffIndex.TILE_OFFSETS).length == 0;
        // Uncompressed strips can be divided, so that all chunks have the same number of rows.
        boolean isDivided = isStrip && image.compression() == TiffImageLayout.NONE && !image.hasPredictor();
        return new TiffChunks(image, pages, file, isDivided ? greatestCommonDivisor(rows, height) : rows);
    }

    private static long greatestCommonDivisor(long first, long second) {
        return second == 0 ? first : greatestCommonDivisor(second, first % second);
    }

    /** Whether the last chunk of rows is shorter than others. Tiles are never cut. */
    public boolean hasPartialStrip() {
        boolean isStrip = pages.get(0).valuesOf(TiffIndex.TILE_OFFSETS).length == 0;
        return isStrip && image.shape().get(image.rowDimension()) % rows != 0;
    }

    private boolean isStack() {
        return pages.size() > 1;
    }

    /** Returns the lengths of an array: {@code first} for the pages, if there are several, before those of a page. */
    private List<Long> withPageAxis(List<Long> lengths, long first) {
        List<Long> lengthsWithPages = new ArrayList<>(lengths);
        if (isStack()) {
            lengthsWithPages.add(0, first);
        }
        return lengthsWithPages;
    }

    private List<Long> chunkShape() {
        List<Long> chunkShape = new ArrayList<>(image.chunkShape());
        chunkShape.set(image.rowDimension(), rows);
        return withPageAxis(chunkShape, 1);
    }

    /** Returns the dimension of columns, counted from the last one. The predictor stores differences along it. */
    private int predictorAxis() {
        return image.shape().size() == 3 && !image.isPlanar() ? -2 : -1;
    }

    private Json.Obj predictorConfiguration() {
        return Json.object()
                .with("axis", Json.of(predictorAxis()))
                .with("dist", Json.of(1))
                .with("shape", Json.of(chunkShape()))
                .with("dtype", Json.of(image.dtype()));
    }

    /**
     * Returns the names of the dimensions in tifffile's letters: {@code I} for pages, {@code S} for samples, {@code Y}
     * and {@code X}.
     *
     * @param suffix the suffix of each name; levels with other lengths need other names
     */
    public List<String> dimensionNames(String suffix) {
        List<String> names = new ArrayList<>(List.of("Y" + suffix, "X" + suffix));
        if (image.shape().size() > names.size()) {
            names.add(image.isPlanar() ? 0 : 2, "S" + suffix);
        }
        if (isStack()) {
            names.add(0, "I" + suffix);
        }
        return names;
    }

    /**
     * Returns the document of Zarr v2 like tifffile, but without a fill value, which xarray would treat as the value of
     * missing elements. TIFF has no fill value, and without one, missing chunks read as zeros too.
     */
    public Json.Obj documentV2() {
        Json.Obj delta = Json.object().with("id", Json.of("imagecodecs_delta"));
        for (Map.Entry<String, Json> member : predictorConfiguration().members().entrySet()) {
            delta = delta.with(member.getKey(), member.getValue());
        }
        return Json.object()
                .with("zarr_format", Json.of(2))
                .with("shape", Json.of(withPageAxis(image.shape(), pages.size())))
                .with("chunks", Json.of(chunkShape()))
                .with("dtype", Json.of(image.dtype()))
                .with("fill_value", new Json.Null())
                .with("order", Json.of("C"))
                .with("filters", image.hasPredictor() ? new Json.Arr(List.of(delta)) : new Json.Null())
                .with("compressor", image.compressor())
                .with("dimension_separator", Json.of("."));
    }

    /**
     * Returns a document of Zarr v3, in which the last chunk of rows may be shorter.
     *
     * @param names the names of the dimensions
     */
    public Json.Obj documentV3(List<String> names) {
        List<Json> codecs = new ArrayList<>();
        if (image.hasPredictor()) {
            codecs.add(Json.extension("numcodecs.imagecodecs_delta", predictorConfiguration()));
        }
        Json endian = Json.of(image.dtype().charAt(0) == '>' ? "big" : "little");
        codecs.add(Json.extension("bytes", Json.object().with("endian", endian)));
        if (image.compression() != TiffImageLayout.NONE) {
            boolean isLzw = image.compression() == TiffImageLayout.LZW;
            codecs.add(
                    isLzw
                            ? Json.extension("numcodecs.imagecodecs_lzw", Json.object())
                            : Json.extension("numcodecs.zlib", Json.object().with("level", Json.of(6))));
        }
        List<Json> chunkLengths = new ArrayList<>();
        List<Long> shape = withPageAxis(image.shape(), pages.size());
        List<Long> chunkShape = chunkShape();
        for (int d = 0; d < shape.size(); d++) {
            List<Json> axis = new ArrayList<>();
            // a run of equal chunks: their length and number
            axis.add(Json.of(new long[] {chunkShape.get(d), shape.get(d) / chunkShape.get(d)}));
            if (shape.get(d) % chunkShape.get(d) != 0) {
                axis.add(Json.of(shape.get(d) % chunkShape.get(d)));
            }
            chunkLengths.add(new Json.Arr(axis));
        }
        String numberKind =
                image.dtype().charAt(1) == 'u' ? "uint" : image.dtype().charAt(1) == 'i' ? "int" : "float";
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of(numberKind + 8 * image.elementSize()))
                .with(
                        "chunk_grid",
                        Json.extension(
                                "rectilinear",
                                Json.object()
                                        .with("kind", Json.of("inline"))
                                        .with("chunk_shapes", new Json.Arr(chunkLengths))))
                .with("chunk_key_encoding", Json.extension("v2", Json.object().with("separator", Json.of("."))))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(codecs))
                .with("attributes", Json.object())
                .with("dimension_names", Json.of(names));
    }

    /**
     * Returns the references of the chunks of all pages.
     *
     * @param maxReferences the maximum number of references
     */
    public Map<String, Json> createReferences(long maxReferences) {
        Map<String, Json> references = new LinkedHashMap<>();
        for (int i = 0; i < pages.size(); i++) {
            TiffIndex.Directory page = pages.get(i);
            boolean isTiled = page.valuesOf(TiffIndex.TILE_OFFSETS).length > 0;
            long[] offsets = page.valuesOf(isTiled ? TiffIndex.TILE_OFFSETS : TiffIndex.STRIP_OFFSETS);
            long[] sizes = page.valuesOf(isTiled ? TiffIndex.TILE_SIZES : TiffIndex.STRIP_SIZES);
            long[] gridShape = image.gridShape();
            long expected = 1;
            for (long n : gridShape) {
                expected *= n;
            }
            if (offsets.length != sizes.length || offsets.length != expected) {
                throw new CorruptDataException("TIFF: expected " + expected + " tiles or strips of page " + i
                        + ", found " + offsets.length + " offsets and " + sizes.length + " sizes");
            }
            for (int index = 0; index < offsets.length; index++) {
                addReferences(
                        references,
                        maxReferences,
                        isStack() ? i + "." : "",
                        gridShape,
                        index,
                        offsets[index],
                        sizes[index]);
            }
        }
        return references;
    }

    /**
     * Adds references to a tile, or to a strip or its parts. Skips empty ones, which were never written.
     *
     * @param keyPrefix the page in the keys of its chunks; empty for a single page
     * @param gridShape the number of tiles or strips in each dimension of a page
     * @param pieceIndex the index of the tile or strip in its page
     */
    private void addReferences(
            Map<String, Json> references,
            long maxReferences,
            String keyPrefix,
            long[] gridShape,
            int pieceIndex,
            long offset,
            long size) {
        if (size == 0) {
            return;
        }
        file.requireInside(offset, size);
        long[] cell = new long[gridShape.length];
        long remaining = pieceIndex;
        for (int d = gridShape.length; d-- > 0; ) {
            cell[d] = remaining % gridShape[d];
            remaining /= gridShape[d];
        }
        int rowAxis = image.rowDimension();
        long partsPerStrip = image.chunkShape().get(rowAxis) / rows;
        long height = image.shape().get(rowAxis);
        long stripIndex = cell[rowAxis];
        long partSize = partsPerStrip == 1 ? size : partSizeInBytes();
        // The last strip may have fewer parts.
        long count = Math.min(partsPerStrip, (height - stripIndex * partsPerStrip * rows + rows - 1) / rows);
        if (count > size / partSize) {
            throw new CorruptDataException("TIFF: expected a strip of at least " + (size / partSize + 1) * partSize
                    + " bytes at byte " + offset + ", found " + size);
        } else if (count > maxReferences - references.size()) {
            throw new UnsupportedException(
                    "TIFF: the images of this file need more than " + TiffReferenceTarget.MAX_CHUNKS
                            + " chunks, which is the limit of a reference document; uncompressed strips are divided into"
                            + " chunks with the same number of rows");
        }
        for (long partIndex = 0; partIndex < count; partIndex++) {
            cell[rowAxis] = stripIndex * partsPerStrip + partIndex;
            StringBuilder key = new StringBuilder(keyPrefix);
            for (int d = 0; d < cell.length; d++) {
                key.append(d == 0 ? "" : ".").append(cell[d]);
            }
            references.put(
                    key.toString(),
                    new Json.Arr(
                            List.of(Json.of(file.url()), Json.of(offset + partIndex * partSize), Json.of(partSize))));
        }
    }

    /** Returns the size of a part of an uncompressed strip. */
    private long partSizeInBytes() {
        long bytes = image.elementSize();
        for (int d = 0; d < image.chunkShape().size(); d++) {
            bytes *= d == image.rowDimension() ? rows : image.chunkShape().get(d);
        }
        return bytes;
    }
}
