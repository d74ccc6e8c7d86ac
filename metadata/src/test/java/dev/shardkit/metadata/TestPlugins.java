package dev.shardkit.metadata;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Plug-ins that do just what metadata needs: be made, and be bound. */
final class TestPlugins {
    private TestPlugins() {}

    /** Core types, grids and key encodings, with codecs of ours beside them. */
    static Registry registry() {
        return Registry.builder()
                .all(Registry.load(TestPlugins.class.getClassLoader()))
                .codec(factory("bytes", Set.of("endian"), TestPlugins::plain))
                .codec(factory("level", Set.of(), config -> new Filter(config.requiredInteger("level", 0, 9))))
                .codec(factory("nest", Set.of(), TestPlugins::nest))
                .codec(factory("broken", Set.of(), config -> {
                    throw new IllegalStateException("broken on purpose");
                }))
                .storageTransformer(new Transformers())
                .build();
    }

    private static CodecFactory factory(String name, Set<String> aliases, Function<Config, Codec> make) {
        return new CodecFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Set<String> aliases() {
                return aliases;
            }

            @Override
            public Codec create(Config config) {
                return make.apply(config);
            }
        };
    }

    private static Codec plain(Config config) {
        Optional<String> endian = config.oneOf("endian", "little", "big");
        Json.Obj configuration =
                endian.map(e -> Json.object().with("endian", Json.of(e))).orElseGet(Json::object);
        return new Whole("bytes", configuration, (type, limits) -> {
            if (type.dataType().elementSize().orElse(0) > 1 && endian.isEmpty()) {
                throw new MetadataException("endian is required");
            }
            type.decodedSize();
        });
    }

    /** Like a shard: cuts a chunk evenly. */
    private static Codec nest(Config config) {
        long[] shape = config.requiredIntegers("chunk_shape", 1, Long.MAX_VALUE);
        List<Codec> codecs = config.codecs("codecs").orElseThrow(() -> new MetadataException("codecs are required"));
        CodecChain chain = CodecChain.of(codecs);
        List<Json> stated = new ArrayList<>();
        codecs.forEach(c -> stated.add(Json.extension(c.name(), c.configuration())));
        Json.Obj configuration = new Json.Obj(Map.of("chunk_shape", Json.of(shape), "codecs", new Json.Arr(stated)));
        return new Whole("nest", configuration, (type, limits) -> {
            long[] outer = type.shape();
            for (int d = 0; d < Math.max(outer.length, shape.length); d++) {
                if (outer.length != shape.length || outer[d] % shape[d] != 0) {
                    throw new MetadataException(Arrays.toString(shape) + " does not divide " + Arrays.toString(outer));
                }
            }
            chain.bind(type.withShape(shape), limits);
        });
    }

    private interface Check {
        void run(ChunkType type, Limits limits);
    }

    private record Whole(String name, Json.Obj configuration, Check check) implements ArrayToBytesCodec {
        @Override
        public ChunkCodec bind(ChunkType type, Limits limits) {
            check.run(type, limits);
            return new Bound(type);
        }
    }

    private record Bound(ChunkType type) implements ChunkCodec {
        @Override
        public long maxEncodedSize() {
            return 1 << 20;
        }

        @Override
        public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
            throw new AssertionError("metadata encodes nothing");
        }

        @Override
        public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
            throw new AssertionError("metadata decodes nothing");
        }
    }

    private record Filter(long level) implements BytesToBytesCodec {
        @Override
        public String name() {
            return "level";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object().with("level", Json.of(level));
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            return decoded;
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            return encoded;
        }
    }

    private static final class Transformers implements StorageTransformerFactory, StorageTransformer {
        @Override
        public String name() {
            return "same-keys";
        }

        @Override
        public StorageTransformer create(Config config) {
            return this;
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Keyspace over(Keyspace below) {
            return below;
        }
    }
}
