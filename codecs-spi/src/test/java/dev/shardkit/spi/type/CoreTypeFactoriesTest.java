package dev.shardkit.spi.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreTypeFactoriesTest {
    private static final Extensions NONE = new Extensions() {
        @Override
        public Codec codec(Json json, String pointer) {
            throw new AssertionError();
        }

        @Override
        public DataType dataType(Json json, String pointer) {
            throw new AssertionError();
        }
    };

    private static DataType create(String name, Json.Obj configuration) {
        List<DataTypeFactory> claiming = ServiceLoader.load(DataTypeFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(f -> f.claims(name))
                .toList();
        assertEquals(1, claiming.size(), name);
        assertEquals(Extension.BUILT_IN, claiming.get(0).priority());
        Config config = new Config(configuration, "/data_type/configuration", NONE);
        DataType type = claiming.get(0).create(name, config);
        config.refuseUnread();
        return type;
    }

    @Test
    void everyCoreType_isFoundByItsNameAlone() {
        for (DataType t : CoreTypes.all()) {
            assertEquals(t, create(t.name(), Json.object()));
            assertEquals(t.name(), t.toString());
        }
        assertEquals(
                CoreTypes.all().size() + 1,
                ServiceLoader.load(DataTypeFactory.class).stream().count());
    }

    @Test
    void aliases_areEqualAndKeepTheirSpelling() {
        DataType raw = create("raw_bytes", Json.object().with("length_bytes", Json.of(3)));
        assertEquals(CoreTypes.rawBits(24), raw);
        assertEquals(CoreTypes.rawBits(24).hashCode(), raw.hashCode());
        assertEquals("raw_bytes", raw.name());
        assertEquals("{\"length_bytes\":3}", raw.configuration().toString());
        DataType bytes = create("variable_length_bytes", Json.object());
        assertEquals(CoreTypes.BYTES, bytes);
        assertEquals(CoreTypes.BYTES.hashCode(), bytes.hashCode());
        assertEquals("variable_length_bytes", bytes.name());
        assertEquals(3, create("r24", Json.object()).elementSize().orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"r0", "r7", "r12", "r08", "r99999999999999999999", "r17179869184", "raw_bytes", "r*"})
    void rawBits_ofImpossibleSizes_areRefused(String name) {
        assertThrows(MetadataException.class, () -> create(name, Json.object()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 39})
    void bool_aByteOfTwo_isCorruptWhereverItStands(int at) {
        byte[] bytes = new byte[40];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i & 1);
        }
        Elements elements = Elements.Fixed.of(CoreTypes.BOOL, ByteBuffer.wrap(bytes), ByteOrder.LITTLE_ENDIAN);
        CoreTypes.BOOL.check(elements);
        bytes[at] = 2;
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> CoreTypes.BOOL.check(elements));
        assertTrue(e.getMessage().contains("element " + at + ":"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "61", "00", "c3bc", "e0a080", "ed9fbf", "ee8080", "f0908080", "f48fbfbf", "61c3bc00"})
    void string_ofUtf8_passes(String hex) {
        CoreTypes.STRING.check(
                new Elements.Variable(new byte[][] {HexFormat.of().parseHex(hex)}));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "c0af",
                "c1bf",
                "c3",
                "c328",
                "e08080",
                "e09fbf",
                "eda080",
                "edbfbf",
                "e282",
                "e28228",
                "f08fbfbf",
                "f4908080",
                "f5808080",
                "f0908028",
                "ff",
                "61fe",
                "f09080"
            })
    void string_ofOtherBytes_isCorrupt(String hex) {
        byte[][] values = {new byte[0], HexFormat.of().parseHex(hex)};
        CorruptDataException e =
                assertThrows(CorruptDataException.class, () -> CoreTypes.STRING.check(new Elements.Variable(values)));
        assertTrue(e.getMessage().contains("element 1:"), e.getMessage());
    }
}
