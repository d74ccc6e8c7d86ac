package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import org.junit.jupiter.api.Test;

class NumcodecsBloscFactoryTest {
    private static String made(Json.Obj configuration) {
        return new NumcodecsBloscFactory()
                .create(new Config(configuration, "", Extensions.none()))
                .configuration()
                .toString();
    }

    private static Json.Obj with(String name, Json value) {
        return Json.object().with(name, value);
    }

    @Test
    void defaults_areThoseOfNumcodecs() {
        assertEquals("{\"cname\":\"lz4\",\"clevel\":5,\"shuffle\":\"shuffle\",\"blocksize\":0}", made(Json.object()));
    }

    @Test
    void shuffle_isANumber() {
        assertEquals(
                "{\"typesize\":4,\"cname\":\"zstd\",\"clevel\":9,\"shuffle\":\"bitshuffle\",\"blocksize\":0}",
                made(with("shuffle", Json.of(2))
                        .with("cname", Json.of("zstd"))
                        .with("clevel", Json.of(9))
                        .with("typesize", Json.of(4))));
        assertEquals(
                "{\"cname\":\"lz4\",\"clevel\":5,\"blocksize\":0}",
                made(with("shuffle", Json.of(-1))),
                "the data type decides");
    }

    @Test
    void otherConfigurations_areRefused() {
        assertThrows(MetadataException.class, () -> made(with("shuffle", Json.of(3))));
        assertThrows(MetadataException.class, () -> made(with("shuffle", Json.of(-2))));
        assertThrows(MetadataException.class, () -> made(with("shuffle", Json.of("shuffle"))));
        assertThrows(MetadataException.class, () -> made(with("cname", Json.of("lzo"))));
        assertThrows(MetadataException.class, () -> made(with("clevel", Json.of(10))));
    }
}
