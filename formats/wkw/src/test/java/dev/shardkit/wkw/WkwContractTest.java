package dev.shardkit.wkw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.ChunkKeyEncodingContract;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.testkit.extension.LoadedExtensions;
import dev.shardkit.testkit.extension.NodeFormatContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WkwContractTest {
    private static Json.Obj configuration(long channels, long length, String blocks) {
        return Json.object()
                .with(CubeCodec.BLOCK_SHAPE, Json.of(new long[] {channels, length, length, length}))
                .with(CubeCodec.BLOCKS, Json.of(blocks));
    }

    private static ArrayToBytesCodec cubes(long channels, long length, String blocks) {
        return (ArrayToBytesCodec) new LoadedExtensions()
                .codec(Json.extension(CubeCodec.NAME, configuration(channels, length, blocks)), "");
    }

    private static ChunkType type(DataType dataType, int fill, long... shape) {
        byte[] bytes = new byte[dataType.elementSize().orElseThrow()];
        bytes[0] = (byte) fill;
        return ChunkType.of(dataType, FillValue.of(bytes), shape);
    }

    @Nested
    class Documents extends NodeFormatContract {
        @Override
        protected NodeFormat format() {
            return new WkwFormat();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of();
        }

        @Override
        protected Map<String, byte[]> binaryDocuments() {
            return Map.of(
                    "a/header.wkw",
                    new CubeHeader(3, 2, CubeHeader.BlockEncoding.LZ4, CubeHeader.VoxelType.UINT16, 6, 0).encode());
        }

        @Override
        protected String path() {
            return "a";
        }
    }

    @Nested
    class Cubes extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return List.of(
                    new ChunkCase<>(cubes(1, 2, "raw"), type(CoreTypes.UINT16, 0, 1, 4, 4, 4)),
                    new ChunkCase<>(cubes(3, 2, "lz4"), type(CoreTypes.UINT8, 5, 3, 8, 8, 8)),
                    new ChunkCase<>(cubes(2, 4, "lz4hc"), type(CoreTypes.FLOAT64, 0, 2, 4, 4, 4)));
        }
    }

    @Nested
    class Lz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new WkwLz4Codec();
        }
    }

    @Nested
    class CubesFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new WkwCodecFactories.Cubes();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(configuration(1, 32, "raw"), configuration(3, 1, "lz4"), configuration(1, 8, "lz4hc"));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    configuration(1, 3, "raw"),
                    configuration(0, 8, "raw"),
                    configuration(1, 1 << 16, "raw"),
                    configuration(256, 8, "raw"),
                    configuration(1, 8, "zstd"),
                    Json.object().with(CubeCodec.BLOCK_SHAPE, Json.of(new long[] {1, 8, 8, 8})));
        }
    }

    @Nested
    class Keys extends ChunkKeyEncodingContract {
        @Override
        protected ChunkKeyEncodingFactory factory() {
            return new CubeKeys();
        }

        @Override
        protected List<ChunkKeyEncoding> encodings() {
            return List.of(new CubeKeys().create(new Config(Json.object(), "", Extensions.none())));
        }
    }

    /** Voxels of another type may have the same size. */
    @Test
    void cubeOfAnotherType_isRefused() {
        ChunkType written = type(CoreTypes.UINT32, 0, 1, 4, 4, 4);
        ChunkType read = type(CoreTypes.FLOAT32, 0, 1, 4, 4, 4);
        for (String blocks : List.of("raw", "lz4")) {
            try (Scratch scratch = new Scratch()) {
                DenseChunk filled = DenseChunk.filled(type(CoreTypes.UINT32, 7, 1, 4, 4, 4));
                Bytes cube = cubes(1, 2, blocks)
                        .bind(written, Limits.defaults())
                        .encode(filled.feed(), ShardWritePolicy.defaults(), scratch)
                        .orElseThrow();
                CorruptDataException e = assertThrows(CorruptDataException.class, () -> cubes(1, 2, blocks)
                        .bind(read, Limits.defaults())
                        .decode(cube, read.box(), DenseChunk.filled(read).target(), scratch));
                assertTrue(e.getMessage().contains("expected a cube with the header"), e.getMessage());
            }
        }
    }

    /** The order of the specification's example. */
    @Test
    void blocks_lieInMortonOrder() {
        long[][] blocks = {
            {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 0, 0},
            {3, 0, 0}, {2, 1, 0}, {3, 1, 0}, {2, 0, 1}
        };
        for (int i = 0; i < blocks.length; i++) {
            assertEquals(i, Morton.position(blocks[i][0], blocks[i][1], blocks[i][2], 2));
        }
    }
}
