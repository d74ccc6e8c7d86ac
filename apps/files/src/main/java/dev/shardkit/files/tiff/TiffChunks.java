package dev.shardkit.files.tiff;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes the pages of a TIFF file as an array of Zarr, without reading elements. Creates the metadata document of
 * Zarr v2 or v3, and references to the byte ranges of the tiles or strips, which become the chunks.
 * {@code TiffReferences} uses it. Immutable.
 *
 * @param image the layout of a page
 * @param pages the pages
 * @param file the file
 * @param rows the number of rows of a chunk; if strips are divided, fewer than a strip has
 */
public record TiffChunks(TiffImageLayout image, List<TiffIndex.Directory> pages, TiffReferenceTarget file, long rows) {
    public static TiffChunks create(TiffImageLayout image, List<TiffIndex.Directory> pages, TiffReferenceTarget file) {
        int rowDimension = image.rowDimension();
        long height = image.shape().get(rowDimension);
        long rows = image.chunkShape().get(rowDimension);
        boolean isStrip = pages.get(0).valuesOf(TiffIndex.TILE_OFFSETS).length == 0;
        // Zarr v2 needs chunks of equal length. Uncompressed strips can be divided into parts of as many rows as the
        // last strip allows, too.
        boolean isDivided = isStrip && image.compression() == TiffImageLayout.NONE && !image.hasPredictor();
        return new TiffChunks(image, pages, file, isDivided ? greatestCommonDivisor(rows, height) : rows);
    }

    private static long greatestCommonDivisor(long first, long second) {
        return second == 0 ? first : greatestCommonDivisor(second, first % second);
    }

    /** Returns whether the last chunk of rows has fewer rows than the others. Tiles always have all rows. */
    public boolean hasPartialStrip() {
        boolean isStrip = pages.get(0).valuesOf(TiffIndex.TILE_OFFSETS).length == 0;
        return isStrip && image.shape().get(image.rowDimension()) % rows != 0;
    }

    private boolean isStack() {
        return pages.size() > 1;
    }

    /**
     * Returns the lengths of the array, given the lengths of a page: adds {@code first} in front if it has several
     * pages.
     */
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

    /**
     * Returns the dimension of columns, along which the predictor stores differences. The result counts from the end:
     * -1 is the last dimension. Samples come after the columns unless they are planar, with a plane for each sample.
     */
    private int predictorAxis() {
        return image.shape().size() == 3 && !image.isPlanar() ? -2 : -1;
    }

    /**
     * Returns the configuration of the codec that undoes the predictor of TIFF: differences between adjacent pixels.
     */
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
     * @param suffix the suffix of each name, because a name stands for one length and the levels of an image differ in
     *     length
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
     * Returns the document of Zarr v2 that tifffile would write, but without a fill value. TIFF has none, and xarray
     * would treat elements that are equal to it as missing. Without a fill value, missing chunks read as zeros.
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
     * Returns the document of Zarr v3. Its grid is rectilinear (it lists the lengths of chunks), so that the last chunk
     * of rows may be shorter.
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
            // the grid lists equal chunks as a pair of their length and their number
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
     * Adds the references of a tile, or of a strip or its parts. Skips tiles and strips of 0 bytes, which were never
     * written.
     *
     * @param keyPrefix the start of the chunk's keys: the index of the page and a dot; empty for a single page
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
        long[] cell = new long[gridShape.length]; // the indices of the tile or strip, from its number in C order
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
