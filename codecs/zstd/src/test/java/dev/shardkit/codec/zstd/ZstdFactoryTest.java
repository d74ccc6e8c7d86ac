package dev.shardkit.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZstdFactoryTest extends CodecFactoryContract {
    @Override
    protected CodecFactory factory() {
        return new ZstdCodecFactory();
    }

    private static Json.Obj level(Json level) {
        return Json.object().with("level", level);
    }

    @Override
    protected List<Json.Obj> legal() {
        return List.of(
                level(Json.of(0)),
                level(Json.of(-131072)),
                level(Json.of(22)),
                level(Json.of(3)).with("checksum", Json.of(true)),
                level(Json.of(3)).with("checksum", Json.of(false)));
    }

    @Override
    protected List<Json.Obj> illegal() {
        return List.of(
                Json.object(),
                Json.object().with("checksum", Json.of(true)),
                level(Json.of(23)),
                level(Json.of(-131073)),
                level(Json.of("3")),
                level(new Json.Num("3.5")),
                level(new Json.Null()),
                level(Json.of(3)).with("checksum", Json.of("true")),
                level(Json.of(3)).with("checksum", Json.of(1)));
    }

    @Test
    void configuration_isWrittenInFull() {
        assertEquals(
                "{\"level\":-5,\"checksum\":false}",
                ZstdCodec.ofLevel(-5).configuration().toString());
        assertEquals(
                "{\"level\":22,\"checksum\":true}",
                ZstdCodec.ofLevel(22).withChecksum().configuration().toString());
    }
}
