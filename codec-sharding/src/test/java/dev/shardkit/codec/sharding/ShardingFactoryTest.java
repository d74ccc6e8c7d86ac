package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.chain;
import static dev.shardkit.codec.sharding.Codecs.shape;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;

class ShardingFactoryTest extends CodecFactoryContract {
    private static final Json.Obj SOUND =
            Codecs.shard(shape(4, 4), Codecs.LITTLE).configuration();

    @Override
    protected CodecFactory factory() {
        return new ShardingCodecFactory();
    }

    @Override
    protected List<Json.Obj> legal() {
        return List.of(
                SOUND,
                Codecs.shard(IndexLocation.START, shape(2), Codecs.shard(shape(1), Codecs.BIG, Codecs.CRC))
                        .configuration(),
                ShardingCodec.of(shape(), chain(Codecs.LITTLE), chain(Codecs.BIG), IndexLocation.START)
                        .configuration());
    }

    @Override
    protected List<Json.Obj> illegal() {
        return List.of(
                Json.object(),
                SOUND.with("chunk_shape", Json.of(shape(4, 0))),
                SOUND.with("codecs", Json.object()),
                SOUND.with("index_codecs", new Json.Arr(List.of())),
                SOUND.with("index_location", Json.of("START")));
    }
}
