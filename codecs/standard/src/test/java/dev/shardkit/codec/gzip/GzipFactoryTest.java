package dev.shardkit.codec.gzip;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;

class GzipFactoryTest extends CodecFactoryContract {
    @Override
    protected CodecFactory factory() {
        return new GzipCodecFactory();
    }

    private static Json.Obj level(Json level) {
        return Json.object().with("level", level);
    }

    @Override
    protected List<Json.Obj> legal() {
        return List.of(level(Json.of(0)), level(Json.of(5)), level(Json.of(9)));
    }

    @Override
    protected List<Json.Obj> illegal() {
        return List.of(
                Json.object(),
                level(Json.of(-1)),
                level(Json.of(10)),
                level(Json.of("5")),
                level(new Json.Num("5.0")),
                level(new Json.Null()),
                level(new Json.Num("18446744073709551621")),
                level(Json.of(true)));
    }
}
