package dev.shardkit.codec.crc32c;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;

class Crc32cFactoryTest extends CodecFactoryContract {
    @Override
    protected CodecFactory factory() {
        return new Crc32cCodecFactory();
    }

    @Override
    protected List<Json.Obj> legal() {
        return List.of(Json.object());
    }
}
