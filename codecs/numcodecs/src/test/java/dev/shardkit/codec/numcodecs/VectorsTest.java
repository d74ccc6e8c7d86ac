package dev.shardkit.codec.numcodecs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.extension.LoadedExtensions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What numcodecs encodes, we decode to the same bytes, and encode to bytes that decode to the same. */
class VectorsTest {
    /** Compressors whose bytes may differ from those of numcodecs. */
    private static final Set<String> COMPRESSORS = Set.of("numcodecs.bz2", "numcodecs.lzma", "numcodecs.lz4");

    /** One line of the file that {@code tools/make_vectors.py} writes. */
    private record Vector(
            String codec,
            String decodedType,
            byte[] input,
            String encodedType,
            byte[] encoded,
            String resultType,
            byte[] result) {
        @Override
        public String toString() {
            return codec + " of " + input.length + " bytes (" + decodedType + ")";
        }
    }

    static List<Vector> vectors() throws IOException {
        HexFormat hex = HexFormat.of();
        try (InputStream in = VectorsTest.class.getResourceAsStream("vectors.txt")) {
            return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"))
                    .map(line -> line.split("\t", -1))
                    .map(f -> new Vector(
                            f[0], f[1], hex.parseHex(f[2]), f[3], hex.parseHex(f[4]), f[5], hex.parseHex(f[6])))
                    .toList();
        }
    }

    @Test
    void vectors_coverEveryCodec() throws IOException {
        List<Vector> all = vectors();
        assertTrue(all.size() > 200, () -> "vectors: " + all.size());
        assertEquals(
                13, all.stream().map(v -> codec(v).name()).distinct().count(), "names of codecs that have a vector");
    }

    private static Codec codec(Vector v) {
        return new LoadedExtensions().codec(JsonReader.read(v.codec, Limits.defaults()), "");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void vector_isDecodedAndEncoded(Vector v) {
        Codec codec = codec(v);
        if (codec instanceof BytesToBytesCodec bytes) {
            bytes(bytes, v);
        } else {
            elements((ArrayToArrayCodec) codec, v);
        }
    }

    private static void bytes(BytesToBytesCodec codec, Vector v) {
        DecodedSize size = DecodedSize.exactly(v.result.length);
        try (Scratch scratch = new Scratch()) {
            assertArrayEquals(
                    v.result, codec.decode(Bytes.of(v.encoded), size, scratch).toArray());
            assertArrayEquals(
                    v.result,
                    codec.decode(Bytes.of(v.encoded), DecodedSize.atMost(1 << 20), scratch)
                            .toArray());
            byte[] encoded = codec.encode(Bytes.of(v.input), scratch).toArray();
            if (!COMPRESSORS.contains(codec.name())) {
                assertArrayEquals(v.encoded, encoded);
            }
            assertArrayEquals(
                    v.result, codec.decode(Bytes.of(encoded), size, scratch).toArray());
        }
    }

    private static void elements(ArrayToArrayCodec codec, Vector v) {
        DataType type = type(v.decodedType);
        long count = v.input.length / type.elementSize().orElseThrow();
        BoundArrayToArrayCodec stage = codec.bind(ChunkType.of(type, type.defaultFill(), new long[] {count}));
        assertEquals(type(v.encodedType), stage.encoded().dataType());
        assertArrayEquals(v.encoded, dump(stage.encode(chunk(type, v.input))), "encoded");
        assertArrayEquals(v.result, dump(stage.decode(chunk(stage.encoded().dataType(), v.encoded))), "decoded");
    }

    private static DataType type(String numpy) {
        return NumpyTypeName.of(numpy).orElseThrow().dataType();
    }

    private static DenseChunk chunk(DataType type, byte[] words) {
        long count = words.length / type.elementSize().orElseThrow();
        return DenseChunk.of(
                ChunkType.of(type, type.defaultFill(), new long[] {count}),
                Elements.Fixed.of(type, ByteBuffer.wrap(words), ByteOrder.LITTLE_ENDIAN));
    }

    private static byte[] dump(DenseChunk chunk) {
        ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
        byte[] dump = new byte[bytes.limit()];
        bytes.get(0, dump);
        return dump;
    }
}
