package dev.shardkit.codec.numcodecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {
    /** As numcodecs encodes an array of two rows. */
    private static final String CHUNK = "[[{\"a\":1,\"b\":\"\\u00e9]\"},\"x\\\"y\"],[null,NaN],\"|O\",[2,2]]";

    private static final String[] ITEMS = {"{\"a\":1,\"b\":\"\\u00e9]\"}", "\"x\\\"y\"", "null", "NaN"};

    private static ChunkCodec codec(long... shape) {
        return new JsonCodec(Json.object())
                .bind(ChunkType.of(CoreTypes.STRING, FillValue.of(new byte[0]), shape), Limits.defaults());
    }

    private static String[] decode(String encoded, long... shape) {
        ChunkCodec codec = codec(shape);
        DenseChunk chunk = DenseChunk.filled(codec.type());
        try (Scratch scratch = new Scratch()) {
            codec.decode(
                    Bytes.of(encoded.getBytes(StandardCharsets.UTF_8)),
                    codec.type().box(),
                    chunk.target(),
                    scratch);
        }
        return Stream.of(((Elements.Variable) chunk.elements()).values())
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toArray(String[]::new);
    }

    private static String encode(String[] items, long... shape) {
        ChunkCodec codec = codec(shape);
        byte[][] values =
                Stream.of(items).map(s -> s.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        try (Scratch scratch = new Scratch()) {
            Bytes encoded = codec.encode(
                            DenseChunk.of(codec.type(), new Elements.Variable(values))
                                    .feed(),
                            ShardWritePolicy.defaults(),
                            scratch)
                    .orElseThrow();
            return new String(encoded.toArray(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void chunks_ofNumcodecs_areTheTextOfTheirObjects() {
        assertArrayEquals(ITEMS, decode(CHUNK, 2, 2));
        assertArrayEquals(
                ITEMS,
                decode("[1, [], {}, \"\" ,\"|O\",[4]]".replace("1, [], {}, \"\"", String.join(" , ", ITEMS)), 2, 2));
        assertArrayEquals(new String[] {"5"}, decode("[5,\"|O\",[]]"));
    }

    @Test
    void encoded_isAsNumcodecsWrites() {
        assertEquals(CHUNK, encode(ITEMS, 2, 2));
        assertEquals("[null,1,\"|O\",[2]]", encode(new String[] {"", "1"}, 2));
        assertEquals("[5,\"|O\",[]]", encode(new String[] {"5"}));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0",
                "12.5e-3",
                "1E+9",
                "true",
                "false",
                "null",
                "NaN",
                "Infinity",
                "-Infinity",
                "\"\\u00e9\\n\""
            })
    void values_areWritten(String text) {
        assertEquals("[" + text + ",1,\"|O\",[2]]", encode(new String[] {text, "1"}, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\"",
                "[1",
                "1,2",
                "{\"a\"}",
                "{1:2}",
                "\"a",
                "1 2",
                ",",
                "[1,]x",
                "hello",
                "[hello]",
                "True",
                "None",
                "nan",
                "-NaN",
                "nullx",
                "012",
                "1.",
                ".5",
                "+1",
                "1e",
                "0x10",
                "--1",
                "\"\\x\"",
                "\"\\u12\"",
                "\"a\nb\"",
                "\"\\"
            })
    void textThatIsNoJson_isNotWritten(String text) {
        assertThrows(UnencodableException.class, () -> encode(new String[] {text, "1"}, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "[1,2]",
                "[1,2,\"|O\",[2]",
                "[1,2,\"|O\",[2]]x",
                "[1,2,3,\"|O\",[3]]",
                "[[1,2],\"|O\",[1,2]]",
                "[1,2,\"|O\",7]",
                "[1,\"2,\"|O\",[2]]",
                "{\"a\":1}"
            })
    void damage_isCorruptData(String encoded) {
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> decode(encoded, 2));
        assertTrue(e.getMessage().startsWith("numcodecs.json2: expected "), e.getMessage());
    }

    @Test
    void rowsOfOtherLengths_areCorruptData() {
        for (String rows : List.of("[[1,2,3],[4]", "[[1],[2,3,4]", "[[1,2],[3,[4]],[]")) {
            CorruptDataException e =
                    assertThrows(CorruptDataException.class, () -> decode(rows + ",\"|O\",[2,2]]", 2, 2), rows);
            assertTrue(e.getMessage().contains("expected a list of 2 items, found a list of "), e.getMessage());
        }
    }

    @Test
    void deepNesting_isRefusedBeforeTheStackEnds() {
        String deep = "[" + "[".repeat(100_000) + "]".repeat(100_000) + ",1,\"|O\",[2]]";
        assertThrows(CorruptDataException.class, () -> decode(deep, 2));
    }

    @Test
    void otherTypes_areRefused() {
        ChunkType numbers = ChunkType.of(CoreTypes.INT32, FillValue.of(new byte[4]), new long[] {2});
        assertThrows(MetadataException.class, () -> new JsonCodec(Json.object()).bind(numbers, Limits.defaults()));
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new NumcodecsFactories.Json2();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), (Json.Obj)
                    JsonReader.read("{\"encoding\":\"utf-8\",\"indent\":null,\"strict\":true}", Limits.defaults()));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object().with("encoding", Json.of("utf-16")));
        }
    }
}
