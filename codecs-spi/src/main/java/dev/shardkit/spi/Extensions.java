package dev.shardkit.spi;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/** Makes extensions of what the metadata says: the part of the registry that a nesting extension needs. Thread-safe. */
public interface Extensions {
    /**
     * Makes the codec that {@code json} describes: an object with a name, or a bare name.
     *
     * @param pointer where it stands in the document (RFC 6901), for errors
     */
    Codec codec(Json json, String pointer);

    /**
     * Makes the codec that {@code json} describes; empty if nobody claims its name and the metadata says that it need
     * not be understood. Such a codec is skipped when reading, and the array takes no writes.
     *
     * @param pointer where it stands in the document (RFC 6901), for errors
     */
    default Optional<Codec> optionalCodec(Json json, String pointer) {
        return Optional.of(codec(json, pointer));
    }

    /** Makes the data type that {@code json} describes. */
    DataType dataType(Json json, String pointer);
}
