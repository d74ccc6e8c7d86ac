package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BloscConfigurationTest {
    private static final Json.Obj FULL = Json.object()
            .with("typesize", Json.of(4))
            .with("cname", Json.of("zstd"))
            .with("clevel", Json.of(5))
            .with("shuffle", Json.of("bitshuffle"))
            .with("blocksize", Json.of(0));

    @Test
    void service_isFound() {
        CodecFactory factory = ServiceLoader.load(CodecFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(f -> f.name().equals("blosc"))
                .findFirst()
                .orElseThrow();
        assertEquals(Extension.BUILT_IN, factory.priority());
    }

    @Test
    void fullConfiguration_isWrittenAsItWas() {
        assertEquals(FULL, create(FULL).configuration());
        assertEquals(FULL, bind(create(FULL), OptionalInt.of(8)).configuration());
    }

    @ParameterizedTest
    @CsvSource({"1, bitshuffle", "2, shuffle", "8, shuffle", "16, shuffle"})
    void missingMembers_comeFromTheDataType(int elementSize, String shuffle) {
        Json.Obj two = Json.object().with("cname", Json.of("lz4")).with("clevel", Json.of(3));
        Json.Obj expected = Json.object()
                .with("typesize", Json.of(elementSize))
                .with("cname", Json.of("lz4"))
                .with("clevel", Json.of(3))
                .with("shuffle", Json.of(shuffle))
                .with("blocksize", Json.of(0));
        assertEquals(expected, bind(create(two), OptionalInt.of(elementSize)).configuration());
    }

    @Test
    void elementsOfVaryingSize_countAsBytes() {
        Json.Obj two = Json.object().with("cname", Json.of("lz4")).with("clevel", Json.of(3));
        Json.Obj bound = bind(create(two), OptionalInt.empty()).configuration();
        assertEquals(Json.of(1), bound.get("typesize").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "cname, '\"gzip\"'",
        "cname, '\"LZ4\"'",
        "cname, 1",
        "clevel, 10",
        "clevel, -1",
        "clevel, '\"5\"'",
        "clevel, 5.0",
        "shuffle, '\"byteshuffle\"'",
        "shuffle, 1",
        "typesize, 0",
        "typesize, -4",
        "typesize, true",
        "typesize, 4294967296",
        "blocksize, -1",
        "blocksize, 2147483648",
        "blocksize, null"
    })
    void badMember_isNamed(String member, String json) {
        Exception e = assertThrows(MetadataException.class, () -> create(FULL.with(member, parse(json))));
        assertTrue(e.getMessage().contains("/codecs/1/configuration/" + member), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"cname", "clevel"})
    void missingMember_isNamed(String member) {
        java.util.Map<String, Json> members = new java.util.LinkedHashMap<>(FULL.members());
        members.remove(member);
        Exception e = assertThrows(MetadataException.class, () -> create(new Json.Obj(members)));
        assertTrue(e.getMessage().contains(member + ": is required"), e.getMessage());
    }

    @Test
    void codecMadeInCode_refusesWhatMetadataCouldNotSay() {
        assertThrows(IllegalArgumentException.class, () -> BloscCodec.of(BloscCompressor.LZ4, 10));
        assertThrows(IllegalArgumentException.class, () -> BloscCodec.of(BloscCompressor.LZ4, 5)
                .withTypesize(0));
        assertThrows(IllegalArgumentException.class, () -> BloscCodec.of(BloscCompressor.LZ4, 5)
                .withBlocksize(-1));
        assertEquals(
                FULL,
                BloscCodec.of(BloscCompressor.ZSTD, 5)
                        .withShuffle(Shuffle.BITSHUFFLE)
                        .withTypesize(4)
                        .configuration());
    }

    @Test
    void unknownMember_isLeftForTheCallerToRefuse() {
        Config config = config(FULL.with("nthreads", Json.of(4)));
        new BloscCodecFactory().create(config);
        assertThrows(MetadataException.class, config::refuseUnread);
    }

    private static Json parse(String json) {
        return switch (json.charAt(0)) {
            case '"' -> Json.of(json.substring(1, json.length() - 1));
            case 't' -> Json.of(true);
            case 'n' -> new Json.Null();
            default -> new Json.Num(json);
        };
    }

    private static Codec create(Json.Obj configuration) {
        Config config = config(configuration);
        Codec codec = new BloscCodecFactory().create(config);
        config.refuseUnread();
        return codec;
    }

    private static Config config(Json.Obj configuration) {
        return new Config(configuration, "/codecs/1/configuration", new Nothing());
    }

    private static BytesToBytesCodec bind(Codec codec, OptionalInt elementSize) {
        FillValue fill = FillValue.of(new byte[elementSize.orElse(0)]);
        ChunkType type = ChunkType.of(new Sized(elementSize), fill, new long[] {3});
        return ((BytesToBytesCodec) codec).bind(type);
    }

    private record Nothing() implements Extensions {
        @Override
        public Codec codec(Json json, String pointer) {
            throw new UnsupportedOperationException("blosc nests no codecs");
        }

        @Override
        public DataType dataType(Json json, String pointer) {
            throw new UnsupportedOperationException("blosc nests no types");
        }
    }

    private record Sized(OptionalInt elementSize) implements DataType {
        @Override
        public String name() {
            return "sized";
        }

        @Override
        public Carrier carrier() {
            return Carrier.BYTE;
        }

        @Override
        public FillValue parseFill(Json json) {
            return defaultFill();
        }

        @Override
        public Json formatFill(FillValue value) {
            return Json.of(0);
        }
    }
}
