package dev.shardkit.registry;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.store.StoreFactory;
import java.util.Optional;

/**
 * Information about a plug-in, for users to read. Immutable.
 *
 * @param kind the kind of extension that it makes
 * @param name its name in metadata, or its URI scheme; empty if the plug-in failed to report it
 * @param className its class, as far as known
 * @param jar where it comes from: a jar, a folder or a module
 * @param version the version of its module or package, if it has one
 * @param priority its priority; 0 if the plug-in failed to report it
 * @param state whether it is in use
 */
public record Plugin(
        Kind kind,
        Optional<String> name,
        String className,
        String jar,
        Optional<String> version,
        int priority,
        State state) {

    /** The kinds of plug-in. */
    public enum Kind {
        /** {@link DataTypeFactory}. */
        DATA_TYPE("data type", DataTypeFactory.class),
        /** {@link CodecFactory}. */
        CODEC("codec", CodecFactory.class),
        /** {@link ChunkGridFactory}. */
        CHUNK_GRID("chunk grid", ChunkGridFactory.class),
        /** {@link ChunkKeyEncodingFactory}. */
        CHUNK_KEY_ENCODING("chunk key encoding", ChunkKeyEncodingFactory.class),
        /** {@link StorageTransformerFactory}. */
        STORAGE_TRANSFORMER("storage transformer", StorageTransformerFactory.class),
        /** {@link StoreFactory}, by URI scheme. */
        STORE("store", StoreFactory.class),
        /** {@link NodeFormat}. */
        NODE_FORMAT("node format", NodeFormat.class);

        private final String words;
        private final Class<? extends Extension> service;

        Kind(String words, Class<? extends Extension> service) {
            this.words = words;
            this.service = service;
        }

        /** Returns the interface that a plug-in of this kind implements. Its services file has this name. */
        public Class<? extends Extension> service() {
            return service;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Whether a plug-in is in use. */
    public sealed interface State {
        /** The plug-in is in use for its name. */
        record Active() implements State {
            @Override
            public String toString() {
                return "active";
            }
        }

        /** Another plug-in with the same name has a higher priority. */
        record Shadowed(String shadowedBy) implements State {
            @Override
            public String toString() {
                return "shadowed by " + shadowedBy;
            }
        }

        /** Another plug-in with the same name has the same priority. Using the name is an error. */
        record Tied(String with) implements State {
            @Override
            public String toString() {
                return "tied with " + with;
            }
        }

        /** The plug-in failed to load. */
        record Failed(String reason) implements State {
            @Override
            public String toString() {
                return "failed: " + reason;
            }
        }
    }
}
