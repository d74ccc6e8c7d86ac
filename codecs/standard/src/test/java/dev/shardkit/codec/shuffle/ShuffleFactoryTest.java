package dev.shardkit.codec.shuffle;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;

class ShuffleFactoryTest extends CodecFactoryContract {
    @Override
    protected CodecFactory factory() {
        return new ShuffleCodecFactory();
    }

    private static Json.Obj size(Json size) {
        return Json.object().with("elementsize", size);
    }

    @Override
    protected List<Json.Obj> legal() {
        return List.of(size(Json.of(1)), size(Json.of(8)), Json.object());
    }

    @Override
    protected List<Json.Obj> illegal() {
        return List.of(size(Json.of(0)), size(Json.of(-4)), size(Json.of("4")), size(new Json.Num("4.5")));
    }
}
