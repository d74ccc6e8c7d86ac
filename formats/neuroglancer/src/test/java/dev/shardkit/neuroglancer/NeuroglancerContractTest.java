package dev.shardkit.neuroglancer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.testkit.extension.NodeFormatContract;
import dev.shardkit.testkit.extension.StorageTransformerContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NeuroglancerContractTest {
    private static final String SHARDING = "{\"@type\": \"neuroglancer_uint64_sharded_v1\", \"preshift_bits\": 1, "
            + "\"hash\": \"murmurhash3_x86_128\", \"minishard_bits\": 1, \"shard_bits\": 1}";
    private static final String INFO = "{\"@type\": \"neuroglancer_multiscale_volume\", \"type\": \"segmentation\", "
            + "\"data_type\": \"uint32\", \"num_channels\": 1, \"mesh\": \"mesh\", \"scales\": [{\"key\": \"a/b\", "
            + "\"size\": [10, 20, 30], \"chunk_sizes\": [[4, 8, 16]], \"resolution\": [1, 1, 2], \"voxel_offset\": "
            + "[0, -3, 9], \"encoding\": \"compressed_segmentation\", \"compressed_segmentation_block_size\": "
            + "[4, 4, 4], \"sharding\": " + SHARDING + "}]}";

    private static final VolumeGrid GRID =
            new VolumeGrid(new long[] {10, 20, 30}, new long[] {4, 8, 16}, new long[] {0, -3, 9});

    static ChunkType type(DataType dataType, int fill, long... shape) {
        byte[] bytes = new byte[dataType.elementSize().orElseThrow()];
        bytes[0] = (byte) fill;
        return ChunkType.of(dataType, FillValue.of(bytes), shape);
    }

    static Sharding sharding(ShardHash hash, Sharding.Encoding index) {
        return new Sharding(1, hash, 2, 1, index, Sharding.Encoding.RAW);
    }

    abstract static class Documents extends NodeFormatContract {
        private final String path;

        Documents(String path) {
            this.path = path;
        }

        @Override
        protected NodeFormat format() {
            return new NeuroglancerFormat();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of("volume/info", INFO);
        }

        @Override
        protected String path() {
            return path;
        }
    }

    @Nested
    class Volumes extends Documents {
        Volumes() {
            super("volume");
        }
    }

    @Nested
    class Groups extends Documents {
        Groups() {
            super("volume/a");
        }
    }

    @Nested
    class Scales extends Documents {
        Scales() {
            super("volume/a/b");
        }
    }

    @Nested
    class Segmentation extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return List.of(
                    new ChunkCase<>(
                            new CompressedSegmentationCodec(new long[] {4, 3, 2}),
                            type(CoreTypes.UINT32, 7, 9, 6, 3, 2)),
                    new ChunkCase<>(
                            new CompressedSegmentationCodec(new long[] {1, 1, 1}),
                            type(CoreTypes.UINT64, 0, 3, 2, 1, 1)),
                    new ChunkCase<>(
                            new CompressedSegmentationCodec(new long[] {8, 8, 8}),
                            type(CoreTypes.UINT64, 0, 5, 9, 2, 1)));
        }
    }

    @Nested
    class Png extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            ImageCodec png = new ImageCodec(ImageCodec.Kind.PNG, 6);
            return List.of(
                    new ChunkCase<>(png, type(CoreTypes.UINT8, 3, 4, 3, 2, 1)),
                    new ChunkCase<>(png, type(CoreTypes.UINT8, 0, 4, 3, 1, 3)),
                    new ChunkCase<>(png, type(CoreTypes.UINT16, 0, 5, 1, 2, 2)),
                    new ChunkCase<>(png, type(CoreTypes.UINT16, 9, 2, 3, 1, 4)));
        }
    }

    @Nested
    class SegmentationFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new NeuroglancerCodecFactories.CompressedSegmentation();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object().with("block_size", Json.of(new long[] {8, 8, 8})));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    Json.object().with("block_size", Json.of(new long[] {8, 8})),
                    Json.object().with("block_size", Json.of(new long[] {8, 0, 8})),
                    Json.object().with("block_size", Json.of(new long[] {1 << 20, 1 << 20, 1 << 30})));
        }
    }

    @Nested
    class PngFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new NeuroglancerCodecFactories.Png();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), Json.object().with("level", Json.of(9)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object().with("level", Json.of(10)));
        }
    }

    @Nested
    class JpegFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new NeuroglancerCodecFactories.Jpeg();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), Json.object().with("quality", Json.of(0)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object().with("quality", Json.of("best")));
        }
    }

    abstract static class Transformers extends StorageTransformerContract {
        private final StorageTransformer transformer;
        private final StorageTransformerFactory factory;

        Transformers(StorageTransformer transformer, StorageTransformerFactory factory) {
            this.transformer = transformer;
            this.factory = factory;
        }

        @Override
        protected StorageTransformer transformer() {
            return transformer;
        }

        @Override
        protected StorageTransformerFactory factory() {
            return factory;
        }

        @Override
        protected List<String> keys() {
            return List.of("s/0/0/0/0", "s/1/0/0/0", "s/2/2/1/0", "s/0/1/1/0", "s/1/1/1/0", "other/key", "s/3/0/0/0");
        }
    }

    @Nested
    class Files extends Transformers {
        Files() {
            super(new ChunkFiles(GRID, 1 << 20), new TransformerFactories.Files());
        }
    }

    @Nested
    class Shards extends Transformers {
        Shards() {
            super(
                    new HashedShards(GRID, sharding(ShardHash.IDENTITY, Sharding.Encoding.RAW)),
                    new TransformerFactories.Shards());
        }
    }

    @Nested
    class MurmurShards extends Transformers {
        MurmurShards() {
            super(
                    new HashedShards(GRID, sharding(ShardHash.MURMUR, Sharding.Encoding.GZIP)),
                    new TransformerFactories.Shards());
        }
    }

    @Test
    void shardingOfInfo_isReadAndWritten() {
        Json.Obj json = sharding(ShardHash.MURMUR, Sharding.Encoding.GZIP).toJson();
        assertEquals(
                json, Sharding.parse(new Config(json, "", Extensions.none())).toJson());
    }
}
