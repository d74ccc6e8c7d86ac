package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Describes new arrays in the documents of a {@link NodeFormat}, so that shardkit can create arrays in that format.
 * Performs no I/O. Thread-safe.
 */
public interface ArrayCreation {
    /** The name of the dimension of channels. Callers may leave it out; the array then has one channel. */
    String CHANNEL = "channel";

    /**
     * Returns the dimensions of all arrays of this format, in order; empty if arrays have any number of dimensions, of
     * any names.
     */
    List<String> dimensions();

    /**
     * Describes a new array.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the format does not have such arrays
     * @throws dev.shardkit.spi.error.UnsupportedException if shardkit does not support creating such arrays
     */
    NewArray describe(Request request);

    /**
     * Returns the name of the encoding that compresses chunks as {@code codecs} do, to create an array like an existing
     * one; empty, the default, if there is none. The format chooses properties that the name does not state, such as a
     * checksum.
     *
     * @param codecs the codecs of the existing array, except those that {@linkplain StatedCodec#withoutOrder only
     *     reorder}: the format itself defines the order of elements and bytes
     */
    default Optional<String> encodingLike(List<StatedCodec> codecs) {
        return Optional.empty();
    }

    /**
     * Returns whether a document may describe several arrays; {@link #describeBeside} then adds one. False by default.
     */
    default boolean hasSeveral() {
        return false;
    }

    /**
     * Describes a new array in a document that describes other arrays already. Called only if {@link #hasSeveral}.
     *
     * @param document the stored document under {@link NewArray#key}
     * @return the array, with the whole changed document
     * @throws dev.shardkit.spi.error.MetadataException if the document is invalid, or the array does not fit the others
     */
    default NewArray describeBeside(Json document, Request request) {
        throw new IllegalStateException("a document of this format describes one array");
    }

    /**
     * A wanted array. If {@link #dimensions} names dimensions, shapes have a length for each.
     *
     * @param dataType the name of the data type in Zarr v3
     * @param shape the shape
     * @param chunkShape the shape of chunks or inner chunks; if it is empty, the format chooses one
     * @param shardShape the shape of shards; if it is empty, the format's default applies
     * @param attributes the attributes; a format stores those for which its document has members
     * @param encoding the name of a chunk encoding of the format
     * @param dimensionNames the names of the dimensions, if {@link #dimensions} does not fix them; an unnamed one is an
     *     empty text, and the list is empty if none has a name
     */
    record Request(
            String dataType,
            long[] shape,
            Optional<long[]> chunkShape,
            Optional<long[]> shardShape,
            Json.Obj attributes,
            Optional<String> encoding,
            List<String> dimensionNames) {}

    /**
     * A new array.
     *
     * @param path the path of the array below the location that the user names
     * @param document the equivalent {@code zarr.json}
     * @param key the key of the format's document, which is stored after all chunks
     * @param content the format's document
     * @param writeShape the shape of the boxes that are best written in one call
     */
    record NewArray(String path, Json.Obj document, String key, Bytes content, long[] writeShape) {}
}
