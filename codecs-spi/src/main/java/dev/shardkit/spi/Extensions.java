package dev.shardkit.spi;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * Creates extensions from metadata. This is the part of the registry for extensions that contain others, such as a
 * codec with codecs of its own. Thread-safe.
 */
public interface Extensions {
    /**
     * Creates the codec that {@code json} describes: an object with a name, or a bare name.
     *
     * @param pointer the JSON pointer (RFC 6901) of {@code json} in the document, for errors
     */
    Codec codec(Json json, String pointer);

    /**
     * Creates the codec that {@code json} describes. Empty if no plug-in claims its name and the metadata says
     * {@code must_understand: false}; readers then skip the codec, and the array rejects writes.
     *
     * @param pointer the JSON pointer (RFC 6901) of {@code json} in the document, for errors
     */
    default Optional<Codec> optionalCodec(Json json, String pointer) {
        return Optional.of(codec(json, pointer));
    }

    /** Creates the data type that {@code json} describes. */
    DataType dataType(Json json, String pointer);

    /**
     * Returns extensions for documents in which no extension is allowed: every call throws {@code MetadataException}.
     */
    static Extensions none() {
        return new Extensions() {
            @Override
            public Codec codec(Json json, String pointer) {
                throw new MetadataException(pointer + ": no codec is expected here");
            }

            @Override
            public DataType dataType(Json json, String pointer) {
                throw new MetadataException(pointer + ": no data type is expected here");
            }
        };
    }
}
