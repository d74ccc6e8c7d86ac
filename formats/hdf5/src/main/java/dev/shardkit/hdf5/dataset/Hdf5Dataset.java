package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.codec.PackedNumbersCodec;
import dev.shardkit.hdf5.message.Filter;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import java.util.List;
import java.util.Optional;

/**
 * A dataset of an HDF5 file, described as a Zarr array: metadata, and where its chunks are in the file. Immutable.
 *
 * @param shape the shape
 * @param chunkShape the shape of a chunk
 * @param cutsEdges whether chunks at the edge are stored without the elements beyond the shape
 * @param type the type of elements
 * @param fill the fill value as JSON
 * @param fillBytes the fill value as bytes
 * @param numbers converts numbers of a non-standard format; empty for standard formats
 * @param filters the filters of chunks, in the order of encoding
 * @param isMasked whether HDF5 skipped some filters for some chunks
 * @param attributes the attributes
 * @param dimensions the names of dimensions, if they have names
 * @param chunks the stored chunks
 * @param file how addresses in the file are resolved, for texts of variable length
 */
public record Hdf5Dataset(
        long[] shape,
        long[] chunkShape,
        boolean cutsEdges,
        Hdf5ElementType type,
        Json fill,
        byte[] fillBytes,
        Optional<PackedNumbersCodec> numbers,
        List<Filter> filters,
        boolean isMasked,
        AttributeConversion.JsonAttributes attributes,
        List<Optional<String>> dimensions,
        List<Chunk> chunks,
        VariableTexts.FileLayout file) {

    /** Returns the decoded size of a chunk in bytes, at most {@code Long.MAX_VALUE}. */
    public long chunkBytes() {
        long bytes = type.bytes();
        for (long length : chunkShape) {
            bytes = bytes > Long.MAX_VALUE / length ? Long.MAX_VALUE : bytes * length;
        }
        return bytes;
    }

    /** Returns this dataset with the given names of dimensions. */
    public Hdf5Dataset withDimensionNames(List<String> dimensionNames) {
        return new Hdf5Dataset(
                shape,
                chunkShape,
                cutsEdges,
                type,
                fill,
                fillBytes,
                numbers,
                filters,
                isMasked,
                attributes,
                dimensionNames.stream().map(Optional::of).toList(),
                chunks,
                file);
    }

    /** Returns the names of the dimensions. Every dimension must have one, see {@link #withDimensionNames}. */
    public List<String> dimensionNames() {
        return dimensions.stream().map(Optional::orElseThrow).toList();
    }

    /**
     * Returns the value of missing elements from the attribute {@code _FillValue}. It may differ from the fill value,
     * which is the value of elements that were never written.
     */
    public Optional<Json> missingValue() {
        return Optional.ofNullable(attributes.values().get(FillAttribute.NAME))
                // HDF5 stores complex numbers as records of r and i; Zarr writes the pair as a list.
                .map(json -> json instanceof Json.Obj o
                                && o.get("r").isPresent()
                                && o.get("i").isPresent()
                        ? new Json.Arr(List.of(o.get("r").get(), o.get("i").get()))
                        : json);
    }

    /** A stored chunk. */
    public sealed interface Chunk {
        /** Returns the position of the chunk in the grid of chunks. */
        long[] cell();
    }

    /**
     * A chunk in the file.
     *
     * @param mask the filters that HDF5 skipped: bit i stands for filter i
     */
    public record Part(long[] cell, long offset, long size, int mask) implements Chunk {}

    /** A chunk whose bytes are known, so that the references contain them. */
    public record Inline(long[] cell, byte[] bytes) implements Chunk {}
}
