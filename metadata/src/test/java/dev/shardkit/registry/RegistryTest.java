package dev.shardkit.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RegistryTest {
    private record Named(String name) implements BytesToBytesCodec {
        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public Bytes encode(Bytes decoded, Scratch scratch) {
            return decoded;
        }

        @Override
        public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
            return encoded;
        }
    }

    private record Factory(String name, Set<String> aliases, int priority, Supplier<Codec> make)
            implements CodecFactory {
        @Override
        public Codec create(Config config) {
            return make.get();
        }
    }

    private static Factory factory(String name, int priority, String made) {
        return new Factory(name, Set.of(), priority, () -> new Named(made));
    }

    private static String unsupported(Registry registry, String name) {
        return assertThrows(UnsupportedException.class, () -> registry.codec(Json.of(name), "/codecs/0"))
                .getMessage();
    }

    @Test
    void codec_severalClaim_highestPriorityWins() {
        Registry registry = Registry.builder()
                .codec(factory("lz9", Extension.BUILT_IN, "built-in"))
                .codec(factory("lz9", Extension.NATIVE, "native"))
                .codec(factory("lz9", 0, "other"))
                .build();
        assertEquals("native", registry.codec(Json.of("lz9"), "/codecs/0").name());
        List<Plugin.State> states =
                registry.plugins().stream().map(Plugin::state).toList();
        assertEquals(
                1, states.stream().filter(Plugin.State.Active.class::isInstance).count());
        assertEquals(
                2,
                states.stream().filter(Plugin.State.Shadowed.class::isInstance).count());
        assertTrue(
                states.get(0).toString().startsWith("shadowed by " + Factory.class.getName() + " ("),
                states.toString());
    }

    @Test
    void codec_tie_isAnErrorOfThatNameAlone() {
        Registry registry = Registry.builder()
                .codec(factory("lz9", 5, "a"))
                .codec(new Factory("other", Set.of("lz9"), 5, () -> new Named("b")))
                .build();
        String message = unsupported(registry, "lz9");
        assertTrue(
                message.startsWith("/codecs/0: codec \"lz9\" is claimed by several plug-ins of priority 5: "), message);
        assertEquals("b", registry.codec(Json.of("other"), "/codecs/0").name());
        assertTrue(registry.plugins().get(0).state() instanceof Plugin.State.Tied);
    }

    @Test
    void codec_unknown_errorListsKnownNames() {
        Registry registry = Registry.builder()
                .codec(factory("lz9", 0, "a"))
                .codec(new Factory("bz9", Set.of("bzip9"), 0, () -> new Named("b")))
                .build();
        assertEquals(
                "/codecs/0: codec \"xz\" is unknown; known are bz9, bzip9, lz9; is the jar of its plug-in missing?",
                unsupported(registry, "xz"));
    }

    @Test
    void codec_unknownAmongMany_errorNamesTheFiveNearest() {
        Registry.Builder many = Registry.builder();
        for (String name : List.of("zlib", "numcodecs.zfpy", "n5_default", "gzip", "reshape", "crc32c", "blosc")) {
            many.codec(factory(name, 0, name));
        }
        assertEquals(
                "/codecs/0: codec \"hdf5.blosclz\" is unknown; the nearest of 7 known names are blosc, zlib, "
                        + "n5_default, crc32c, gzip (Registry.plugins() lists all); is the jar of its plug-in missing?",
                unsupported(many.build(), "hdf5.blosclz"));
        String hint = "it is in the artifact shardkit-codec-zstd, which is missing";
        String message = unsupported(many.build(), "zstd");
        assertTrue(message.endsWith(hint), message);
    }

    @Test
    void codec_withATypo_errorNamesTheCodec() {
        Registry registry = Registry.builder().codec(factory("lz9", 0, "a")).build();
        assertEquals("/codecs/0: codec \"l9z\" is unknown; did you mean \"lz9\"?", unsupported(registry, "l9z"));
        assertFalse(unsupported(registry, "lz8").contains("did you mean"), "another number is another codec");
    }

    @Test
    void registry_empty_errorSaysThatServicesWereNotMerged() {
        String message = unsupported(Registry.builder().build(), "bytes");
        assertTrue(message.contains("META-INF/services was not merged"), message);
        assertEquals(List.of(), Registry.builder().build().plugins());
    }

    @Test
    void create_thatFails_namesThePlugin() {
        Registry registry = Registry.builder()
                .codec(new Factory("rude", Set.of(), 0, () -> {
                    throw new IllegalStateException("no");
                }))
                .codec(new Factory("stale", Set.of(), 0, () -> {
                    throw new NoSuchMethodError("gone");
                }))
                .codec(new Factory("strict", Set.of(), 0, () -> {
                    throw new MetadataException("level is bad");
                }))
                .build();
        String rude = assertThrows(MetadataException.class, () -> registry.codec(Json.of("rude"), "/codecs/0"))
                .getMessage();
        assertTrue(
                rude.startsWith("/codecs/0: codec \"rude\" cannot be made of this configuration; plug-in "
                        + Factory.class.getName()),
                rude);
        assertTrue(unsupported(registry, "stale").contains(Factory.class.getName()));
        assertEquals(
                "/codecs/0: level is bad",
                assertThrows(MetadataException.class, () -> registry.codec(Json.of("strict"), "/codecs/0"))
                        .getMessage());
    }

    @Test
    void optionalCodec_unknown_isSkippedOnlyWhereAllowed() {
        Registry registry = Registry.builder().codec(factory("lz9", 0, "a")).build();
        Json.Obj hint = Json.object().with("name", Json.of("hint"));
        assertEquals(
                Optional.empty(), registry.optionalCodec(hint.with("must_understand", Json.of(false)), "/codecs/0"));
        assertThrows(UnsupportedException.class, () -> registry.optionalCodec(hint, "/codecs/0"));
        assertThrows(
                UnsupportedException.class,
                () -> registry.codec(hint.with("must_understand", Json.of(false)), "/codecs/0"));
        Json.Obj known = Json.object().with("name", Json.of("lz9")).with("must_understand", Json.of(false));
        assertTrue(registry.optionalCodec(known, "/codecs/0").isPresent());
    }

    /** A family whose claim depends on a name that it chokes on. */
    private static final class Choking implements DataTypeFactory {
        @Override
        public String name() {
            return "choking";
        }

        @Override
        public boolean claims(String name) {
            throw new IllegalStateException(name);
        }

        @Override
        public DataType create(String name, Config config) {
            throw new AssertionError();
        }
    }

    @Test
    void dataType_familyThatChokes_harmsNoOther() {
        Registry registry =
                Registry.builder().all(Registry.load()).dataType(new Choking()).build();
        assertEquals(
                "uint16", registry.dataType(Json.of("uint16"), "/data_type").name());
        assertEquals("r24", registry.dataType(Json.of("r24"), "/data_type").name());
    }

    private static final class Boxes implements StoreFactory, Store, LocalReads {
        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public String name() {
            return "box";
        }

        @Override
        public Store open(URI uri) throws IOException {
            if (uri.toString().endsWith("broken")) {
                throw new IOException("no such box");
            }
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return Optional.empty();
        }

        @Override
        public String describe() {
            return "box";
        }
    }

    @Test
    void store_byScheme_isOpened() {
        Boxes boxes = new Boxes();
        Registry registry = Registry.builder().store(boxes).build();
        assertSame(boxes, registry.open(URI.create("BOX:a")));
        assertThrows(StoreException.class, () -> registry.open(URI.create("box:broken")));
        assertThrows(IllegalArgumentException.class, () -> registry.open(URI.create("a/b")));
        String message = assertThrows(
                        UnsupportedException.class,
                        () -> registry.open(URI.create("s9://user:secret@host/?token=secret")))
                .getMessage();
        assertEquals("no store opens \"s9:\" URLs; known are box; is the jar of its plug-in missing?", message);
        String s3 = assertThrows(UnsupportedException.class, () -> registry.open(URI.create("s3://bucket/a")))
                .getMessage();
        assertEquals(
                "no store opens \"s3:\" URLs; known are box; it is in the artifact shardkit-store-s3, which is missing",
                s3);
    }

    @Test
    void load_ofOurOwnLoader_hasTheCorePlugins() {
        assertSame(Registry.load(), Registry.load());
        List<Plugin> plugins = Registry.load().plugins();
        assertTrue(plugins.stream().allMatch(p -> p.state() instanceof Plugin.State.Active), plugins.toString());
        assertTrue(plugins.stream()
                .anyMatch(p -> p.kind() == Plugin.Kind.CHUNK_GRID && p.name().equals(Optional.of("regular"))));
    }
}
