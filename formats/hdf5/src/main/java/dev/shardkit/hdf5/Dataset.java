package dev.shardkit.hdf5;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import java.util.List;
import java.util.Optional;

/**
 * A dataset as an array. Immutable.
 *
 * @param shape its shape
 * @param chunkShape the shape of a chunk
 * @param cutsEdges whether chunks at the edge are stored without elements beyond the shape
 * @param type the type of its elements
 * @param fill its fill value
 * @param fillBytes the same as bytes
 * @param numbers makes numbers of stored elements, if they are in another form
 * @param filters the filters of its chunks, in the order of encoding
 * @param isMasked whether a chunk was stored without some of the filters
 * @param attributes its attributes
 * @param dimensions the names of its dimensions, as far as they have one
 * @param chunks its stored chunks
 * @param file what addresses mean, for texts of variable length
 */
record Dataset(
        long[] shape,
        long[] chunkShape,
        boolean cutsEdges,
        ElementType type,
        Json fill,
        byte[] fillBytes,
        Optional<StoredNumbers> numbers,
        List<Filter> filters,
        boolean isMasked,
        AttributeConversion.Converted attributes,
        List<Optional<String>> dimensions,
        List<Chunk> chunks,
        VariableTexts.Places file) {

    /** Returns the decoded size of a chunk in bytes, at most {@code Long.MAX_VALUE}. */
    long chunkBytes() {
        long bytes = type.bytes();
        for (long n : chunkShape) {
            bytes = bytes > Long.MAX_VALUE / n ? Long.MAX_VALUE : bytes * n;
        }
        return bytes;
    }

    /** Returns this dataset with a name for each dimension. */
    Dataset named(List<String> names) {
        return new Dataset(
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
                names.stream().map(Optional::of).toList(),
                chunks,
                file);
    }

    /** Returns the names of the dimensions; {@link #named} gives each one. */
    List<String> names() {
        return dimensions.stream().map(Optional::orElseThrow).toList();
    }

    /**
     * Returns the value of missing elements that the attribute {@code _FillValue} states. It often is, but need not be
     * the fill value, which elements have that were never written.
     */
    Optional<Json> missing() {
        return Optional.ofNullable(attributes.values().get(FillAttribute.NAME))
                .map(json -> json instanceof Json.Obj o
                                && o.get("r").isPresent()
                                && o.get("i").isPresent()
                        ? new Json.Arr(List.of(o.get("r").get(), o.get("i").get()))
                        : json);
    }

    /** A stored chunk. */
    sealed interface Chunk {
        long[] cell();
    }

    /** Bytes of the file. */
    record Part(long[] cell, long place, long size, int mask) implements Chunk {}

    /** Bytes of the document. */
    record Inline(long[] cell, byte[] bytes) implements Chunk {}
}
