package dev.shardkit.codec.conditional;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;

class ConditionalFactoryTest extends CodecFactoryContract {
    @Override
    protected CodecFactory factory() {
        return new ConditionalCodecFactory();
    }

    private static Json.Obj codecs(Json... codecs) {
        return Json.object().with("codecs", new Json.Arr(List.of(codecs)));
    }

    private static Json named(String name) {
        return Json.object().with("name", Json.of(name));
    }

    @Override
    protected List<Json.Obj> legal() {
        Json shuffle = named("numcodecs.shuffle");
        Json zlib = named("numcodecs.zlib");
        return List.of(
                codecs(),
                codecs(zlib),
                codecs(shuffle, zlib).with("header_bits", Json.of(16)),
                codecs(Json.of("numcodecs.zlib")));
    }

    @Override
    protected List<Json.Obj> illegal() {
        Json zlib = named("numcodecs.zlib");
        return List.of(
                Json.object(),
                Json.object().with("codecs", Json.object()),
                codecs(named("bytes")),
                codecs(zlib).with("header_bits", Json.of(7)),
                codecs(zlib).with("header_bits", Json.of(0)),
                codecs().with("header_bits", Json.of(65_544)),
                codecs().with("header_bits", Json.of("8")));
    }
}
