package dev.shardkit.codec.reshape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.Codecs;
import dev.shardkit.codec.Numbered;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReshapeTest {
    private static ArrayToArrayCodec to(Object... shape) {
        return Numbered.codec("reshape", "shape", List.of(shape));
    }

    @Nested
    class Chunks extends ArrayToArrayCodecContract {
        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            return Stream.concat(SampleChunks.fixedTypes().stream(), SampleChunks.variableTypes().stream())
                    .flatMap(type -> Stream.of(new ChunkCase<>(to(-1), type), new ChunkCase<>(to(1, -1, 1), type)))
                    .toList();
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new ReshapeCodecFactory();
        }

        private static Json.Obj shape(Object... shape) {
            return Numbered.object("shape", List.of(shape));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(shape(), shape(-1), shape(List.of(0, 1), List.of(2), 3), shape(List.of(), 7));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    Numbered.object("shape", 3),
                    shape(0),
                    shape(-2),
                    shape(-1, 4, -1),
                    shape(1.5),
                    shape("x"),
                    shape(List.of(1), List.of(0)),
                    shape(List.of(1, 0)),
                    shape(List.of(3, 4), 10, List.of(0, 1)),
                    shape(List.of(-1)),
                    shape(List.of(List.of(0))),
                    shape(List.of(0, 0)));
        }
    }

    private static long[] bound(ArrayToArrayCodec codec, long... shape) {
        return codec.bind(Codecs.type(CoreTypes.UINT8, shape)).encoded().shape();
    }

    @Test
    void shapes_areWhatTheyAreGivenAs() {
        assertArrayEquals(new long[] {5000, 64, 3}, bound(to(List.of(0, 1), List.of(2), 3), 100, 50, 64, 3));
        assertArrayEquals(new long[] {10, 10, 50, 192}, bound(to(10, 10, List.of(1), -1), 100, 50, 64, 3));
        assertArrayEquals(new long[] {6, 1}, bound(to(-1, List.of()), 2, 3));
        assertArrayEquals(new long[] {}, bound(to(), 1, 1));
        assertArrayEquals(new long[] {1, 1}, bound(to(-1, 1)));
    }

    @Test
    void shapesThatDoNotFit_areRefused() {
        List<ArrayToArrayCodec> codecs = List.of(
                to(7),
                to(List.of(0)),
                to(List.of(2)),
                to(5, -1),
                to(List.of(0), List.of(1), 2),
                to(2, List.of(0), 3),
                to(List.of(1), -1),
                to(),
                to(Long.MAX_VALUE / 10, 100));
        for (ArrayToArrayCodec codec : codecs) {
            MetadataException e =
                    assertThrows(MetadataException.class, () -> bound(codec, 2, 3), () -> codec.configuration()
                            .toString());
            assertTrue(e.getMessage().contains("reshape"), e.getMessage());
        }
    }

    @Test
    void elements_keepTheirOrder() {
        ChunkType type = Codecs.type(CoreTypes.UINT8, 2, 3);
        ChunkCodec codec = Codecs.bind(type, to(3, 2), Codecs.transpose(1, 0), Codecs.make("bytes", Json.object()));
        byte[] stored = {0, 2, 4, 1, 3, 5};
        assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 5}, Codecs.content(Codecs.decode(codec, stored, type.box())));
    }
}
