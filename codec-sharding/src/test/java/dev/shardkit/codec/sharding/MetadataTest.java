package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.chain;
import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The configuration of sharding_indexed, and the chunks it does not fit. */
class MetadataTest {
    private static final Map<String, Codec> KNOWN =
            Map.of("bytes", Codecs.LITTLE, "crc32c", Codecs.CRC, "test.deflate", Codecs.DEFLATE);

    private static final Extensions EXTENSIONS = new Extensions() {
        @Override
        public Codec codec(Json json, String pointer) {
            return KNOWN.get(((Json.Str) ((Json.Obj) json).get("name").orElseThrow()).value());
        }

        @Override
        public DataType dataType(Json json, String pointer) {
            throw new AssertionError();
        }
    };

    private static Codec create(Json.Obj configuration) {
        Config config = new Config(configuration, "/codecs/0/configuration", EXTENSIONS);
        CodecFactory factory = ServiceLoader.load(CodecFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(f -> f.name().equals("sharding_indexed"))
                .findFirst()
                .orElseThrow();
        Codec codec = factory.create(config);
        config.refuseUnread();
        return codec;
    }

    private static Json list(String... names) {
        return new Json.Arr(Stream.of(names)
                .map(n -> (Json) Json.object().with("name", Json.of(n)))
                .toList());
    }

    private static final Json.Obj SOUND = Json.object()
            .with("chunk_shape", Json.of(shape(2, 3)))
            .with("codecs", list("bytes", "test.deflate"))
            .with("index_codecs", list("bytes", "crc32c"));

    @Test
    void configuration_isExplicit_andReadsBackEqual() {
        Codec codec = create(SOUND);
        String bytes = "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}";
        assertEquals(
                "{\"chunk_shape\":[2,3],\"codecs\":[" + bytes + ",{\"name\":\"test.deflate\"}],\"index_codecs\":["
                        + bytes + ",{\"name\":\"crc32c\"}],\"index_location\":\"end\"}",
                codec.configuration().toString());
        assertEquals(codec, create(codec.configuration()));
        Codec start = create(SOUND.with("index_location", Json.of("start")));
        assertEquals(start, create(start.configuration()));
        assertNotEquals(codec, start);
    }

    @Test
    void layout_isThatOfTheConfiguration() {
        ShardingCodec codec = (ShardingCodec) create(SOUND.with("index_location", Json.of("start")));
        ShardingLayout layout = codec.sharding().orElseThrow();
        assertArrayEquals(shape(2, 3), layout.innerShape());
        assertEquals(
                codec.configuration().get("codecs").orElseThrow(),
                new Json.Arr(layout.codecs().json()));
        assertEquals(
                codec.configuration().get("index_codecs").orElseThrow(),
                new Json.Arr(layout.index().codecs()));
        assertEquals(IndexLocation.START, layout.index().location());
        layout.innerShape()[0] = 9;
        assertArrayEquals(shape(2, 3), layout.innerShape(), "a copy");
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of("chunk_shape", Json.of(shape(2, 0))), Arguments.of("chunk_shape", Json.of(shape(-2, 1))),
                Arguments.of("chunk_shape", Json.of(4)), Arguments.of("chunk_shape", new Json.Null()),
                Arguments.of("codecs", new Json.Arr(List.of())), Arguments.of("codecs", Json.object()),
                Arguments.of("codecs", list("bytes", "bytes")), Arguments.of("codecs", list("crc32c", "bytes")),
                Arguments.of("index_codecs", list("crc32c")), Arguments.of("index_codecs", new Json.Null()),
                Arguments.of("index_location", Json.of("middle")), Arguments.of("index_location", Json.of("End")),
                Arguments.of("index_location", new Json.Null()),
                        Arguments.of("chunks_per_shard", Json.of(shape(2, 2))));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void wrongMember_isRefused_andNamed(String member, Json value) {
        MetadataException e = assertThrows(MetadataException.class, () -> create(SOUND.with(member, value)));
        assertTrue(e.getMessage().startsWith("/codecs/0/configuration/" + member), e.getMessage());
    }

    @Test
    void missingMember_isRefused_andNamed() {
        for (String member : List.of("chunk_shape", "codecs", "index_codecs")) {
            Json.Obj less = Json.object();
            for (Map.Entry<String, Json> e : SOUND.members().entrySet()) {
                less = e.getKey().equals(member) ? less : less.with(e.getKey(), e.getValue());
            }
            Json.Obj without = less;
            MetadataException e = assertThrows(MetadataException.class, () -> create(without));
            assertTrue(e.getMessage().startsWith("/codecs/0/configuration/" + member), e.getMessage());
        }
    }

    private static String refused(ShardingCodec codec, Limits limits, long... shape) {
        return assertThrows(MetadataException.class, () -> codec.bind(Model.type(0, shape), limits))
                .getMessage();
    }

    @Test
    void chunkThatItDoesNotFit_isRefused() {
        ShardingCodec codec = Codecs.shard(shape(4, 4), Codecs.LITTLE);
        assertTrue(refused(codec, Limits.defaults(), 16).contains("expected 1 dimensions"));
        String message = refused(codec, Limits.defaults(), 16, 18);
        assertTrue(message.contains("dimension 1") && message.contains("16 and 20"), message);
        assertTrue(refused(codec, Limits.defaults(), 2, 4).contains("dimension 0"));
        assertTrue(refused(Codecs.shard(shape(8, 8), Codecs.shard(shape(4, 3), Codecs.LITTLE)), Limits.defaults(), 8, 8)
                .contains("dimension 1"));
    }

    @Test
    void indexOfVariableSize_isRefused() {
        CodecChain shard = chain(Codecs.shard(shape(1, 2), Codecs.LITTLE));
        CodecChain checked = chain(Codecs.LITTLE, Codecs.DEFLATE, Codecs.CRC);
        for (CodecChain index : List.of(chain(Codecs.LITTLE, Codecs.DEFLATE), shard, checked)) {
            ShardingCodec codec = ShardingCodec.of(shape(2), chain(Codecs.LITTLE), index, IndexLocation.END);
            String message = refused(codec, Limits.defaults(), 8);
            assertTrue(message.startsWith("index_codecs: expected codecs whose output has one size"), message);
        }
    }

    @Test
    void indexBeyondTheLimit_isRefused_andTheLimitNamed() {
        ShardingCodec codec = Codecs.shard(shape(1, 1), Codecs.LITTLE);
        assertTrue(refused(codec, Limits.defaults(), 1L << 20, 1L << 19).contains("indexBytes"));
        assertTrue(refused(codec, Limits.defaults(), 1L << 30, 1L << 30).contains("more than 2^63-1 bytes"));
        assertTrue(refused(codec, Limits.defaults(), Long.MAX_VALUE, Long.MAX_VALUE)
                .contains("more than 2^63-1 bytes"));
        assertTrue(refused(codec, Limits.defaults().withIndexBytes(67), 2, 2).contains("has 68 bytes"));
        assertFalse(codec.bind(Model.type(0, 2, 2), Limits.defaults().withIndexBytes(68))
                .encodedSize()
                .isPresent());
    }
}
