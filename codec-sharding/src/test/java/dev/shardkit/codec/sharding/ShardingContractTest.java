package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.BIG;
import static dev.shardkit.codec.sharding.Codecs.CRC;
import static dev.shardkit.codec.sharding.Codecs.DEFLATE;
import static dev.shardkit.codec.sharding.Codecs.LITTLE;
import static dev.shardkit.codec.sharding.Codecs.shape;
import static dev.shardkit.codec.sharding.Codecs.shard;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import java.util.List;

/** sharding_indexed under the contract of array-to-bytes codecs: fixed and varying sizes, both ends, nested. */
class ShardingContractTest extends ArrayToBytesCodecContract {
    private static ChunkCase<ArrayToBytesCodec> on(String dataType, ArrayToBytesCodec codec) {
        ChunkType type = SampleChunks.fixedTypes().stream()
                .filter(t -> t.dataType().name().equals(dataType))
                .findFirst()
                .orElseThrow();
        return new ChunkCase<>(codec, type);
    }

    @Override
    protected List<ChunkCase<ArrayToBytesCodec>> cases() {
        return List.of(
                on("int32", shard(shape(2, 3, 1), LITTLE, CRC)),
                on("int32", shard(IndexLocation.START, shape(4, 2, 3), BIG)),
                on("float64", shard(IndexLocation.START, shape(5, 2), LITTLE, DEFLATE)),
                on("uint8", shard(shape(8), LITTLE)),
                on("bool", shard(shape(1, 3), LITTLE, CRC)),
                on("float32", shard(shape(), LITTLE)),
                on("uint16", shard(shape(2, 3, 2, 2), shard(IndexLocation.START, shape(1, 3, 1, 2), LITTLE, DEFLATE))),
                on("uint16", shard(shape(1, 3, 4, 2), shard(shape(1, 1, 2, 2), LITTLE), CRC)));
    }
}
