package dev.shardkit.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plug-in jars made on the spot, good and broken. */
class PluginLoaderTest {
    private static final String SERVICE = "META-INF/services/dev.shardkit.spi.CodecFactory";

    @TempDir
    private Path folder;

    /** A factory with {@code body} as an addition. */
    private static String source(String type, String codec, String body) {
        return "package plug; public class " + type + " implements dev.shardkit.spi.CodecFactory {"
                + " public String name() { return \"" + codec + "\"; }"
                + " public dev.shardkit.spi.codec.Codec create(dev.shardkit.spi.Config c) {"
                + " throw new dev.shardkit.spi.error.MetadataException(\"made by " + type + "\"); } " + body + " }";
    }

    private Path jar(String name, String services, String... sources) throws IOException {
        assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "this JVM has no compiler");
        Path work = Files.createDirectories(folder.resolve("of-" + name));
        for (int i = 0; i < sources.length; i++) {
            String type = sources[i].replaceFirst(".*public class (\\w+) .*", "$1");
            Path file = Files.createDirectories(work.resolve("src/plug")).resolve(type + ".java");
            Files.writeString(file, sources[i]);
            assertEquals(
                    0,
                    ToolProvider.getSystemJavaCompiler()
                            .run(
                                    null,
                                    null,
                                    null,
                                    "-proc:none",
                                    "-nowarn",
                                    "-cp",
                                    System.getProperty(
                                            "surefire.test.class.path", System.getProperty("java.class.path")),
                                    "-d",
                                    work.resolve("out").toString(),
                                    file.toString()));
        }
        Path jar = folder.resolve(name);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.putNextEntry(new JarEntry(SERVICE));
            out.write(services.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            if (sources.length > 0) {
                try (Stream<Path> classes = Files.list(work.resolve("out/plug"))) {
                    for (Path c : classes.toList()) {
                        out.putNextEntry(new JarEntry("plug/" + c.getFileName()));
                        out.write(Files.readAllBytes(c));
                    }
                }
            }
        }
        return jar;
    }

    private static Registry load(Path... jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        try (URLClassLoader loader = new URLClassLoader(urls, PluginLoaderTest.class.getClassLoader())) {
            return Registry.load(loader);
        }
    }

    private static String error(Registry registry, String codec) {
        return assertThrows(RuntimeException.class, () -> registry.codec(Json.of(codec), "/codecs/0"))
                .getMessage();
    }

    private static List<Plugin> codecs(Registry registry) {
        return registry.plugins().stream()
                .filter(p -> p.kind() == Plugin.Kind.CODEC)
                .toList();
    }

    @Test
    void plugin_fromAJar_isUsedAndListed() throws IOException {
        Path jar = jar("good.jar", "plug.Good # a comment\n", source("Good", "good", ""));
        Registry registry = load(jar);
        assertEquals("/codecs/0: made by Good", error(registry, "good"));
        Plugin facts = new Plugin(
                Plugin.Kind.CODEC,
                Optional.of("good"),
                "plug.Good",
                jar.toString(),
                Optional.of("1.2.3"),
                0,
                new Plugin.State.Active());
        assertEquals(List.of(facts), codecs(registry));
    }

    private void checkHarmless(Path broken, String brokenClass, String why) throws IOException {
        Path good = jar("good.jar", "plug.Good\n", source("Good", "good", ""));
        for (Registry registry : List.of(load(broken, good), load(good, broken))) {
            assertEquals("/codecs/0: made by Good", error(registry, "good"));
            Plugin failed = codecs(registry).stream()
                    .filter(p -> p.className().equals(brokenClass))
                    .findFirst()
                    .orElseThrow();
            assertEquals(broken.toString(), failed.jar());
            assertTrue(
                    failed.state().toString().startsWith("failed: ")
                            && failed.state().toString().contains(why),
                    failed.state().toString());
            String message = assertThrows(
                            UnsupportedException.class, () -> registry.codec(Json.of("lost"), "/codecs/0"))
                    .getMessage();
            assertTrue(message.contains("known are "), message);
            assertTrue(message.contains(brokenClass + " (" + broken + ") failed: "), message);
            assertEquals(
                    "uint8", registry.dataType(Json.of("uint8"), "/data_type").name());
        }
    }

    @Test
    void plugin_classMissing_harmsNoOther() throws IOException {
        checkHarmless(jar("bad.jar", "plug.Gone\n"), "plug.Gone", "ClassNotFoundException");
    }

    @Test
    void plugin_staticInitialiserThrows_harmsNoOther() throws IOException {
        checkHarmless(
                jar("bad.jar", "plug.Bad", source("Bad", "bad", "static final int N = Integer.parseInt(\"x\");")),
                "plug.Bad",
                "NumberFormatException");
    }

    @Test
    void plugin_constructorThrows_harmsNoOther() throws IOException {
        checkHarmless(
                jar(
                        "bad.jar",
                        "plug.Bad",
                        source("Bad", "bad", "public Bad() { throw new IllegalStateException(\"no licence\"); }")),
                "plug.Bad",
                "no licence");
    }

    @Test
    void plugin_thatThrowsAnErrorWhenItIsMadeOrAsked_harmsNoOther() throws IOException {
        checkHarmless(
                jar("made.jar", "plug.Bad", source("Bad", "bad", "public Bad() { throw new AssertionError(\"7\"); }")),
                "plug.Bad",
                "AssertionError: 7");
        String named = source("Bad", "bad", "").replace("return \"bad\"", "throw new Error(\"no name\")");
        checkHarmless(jar("named.jar", "plug.Bad", named), "plug.Bad", "no name");
        String service = "throw new java.util.ServiceConfigurationError(\"no service\")";
        checkHarmless(
                jar("service.jar", "plug.Bad", source("Bad", "bad", "").replace("return \"bad\"", service)),
                "plug.Bad",
                "no service");
        String deep = source("Bad", "bad", "public int priority() { return priority() + 1; }");
        checkHarmless(jar("deep.jar", "plug.Bad", deep), "plug.Bad", "StackOverflowError");
        Path create = jar(
                "create.jar",
                "plug.Bad",
                source("Bad", "bad", "").replaceFirst("throw new .*Exception", "throw new AssertionError"));
        String message = assertThrows(
                        UnsupportedException.class, () -> load(create).codec(Json.of("bad"), "/codecs/0"))
                .getMessage();
        assertTrue(message.startsWith("/codecs/0: codec \"bad\"") && message.contains("plug.Bad (" + create), message);
    }

    @Test
    void plugin_withoutAPublicConstructor_harmsNoOther() throws IOException {
        checkHarmless(jar("bad.jar", "plug.Bad", source("Bad", "bad", "private Bad() {}")), "plug.Bad", "");
    }

    @Test
    void plugin_nativeLibraryMissing_harmsNoOther() throws IOException {
        checkHarmless(
                jar("bad.jar", "plug.Bad", source("Bad", "bad", "static { System.loadLibrary(\"there-is-none\"); }")),
                "plug.Bad",
                "there-is-none");
    }

    @Test
    void plugin_nameIsNull_harmsNoOther() throws IOException {
        checkHarmless(
                jar(
                        "bad.jar",
                        "plug.Bad",
                        "package plug; public class Bad implements dev.shardkit.spi.CodecFactory {"
                                + " public String name() { return null; }"
                                + " public dev.shardkit.spi.codec.Codec create(dev.shardkit.spi.Config c) { return null; } }"),
                "plug.Bad",
                "null");
    }

    @Test
    void plugin_ofAnotherKind_harmsNoOther() throws IOException {
        checkHarmless(
                jar("bad.jar", "plug.Bad", "package plug; public class Bad extends Object {}"),
                "plug.Bad",
                "ClassCastException");
    }

    @Test
    void servicesFile_badLine_costsOnlyThatLine() throws IOException {
        Path mixed = jar(
                "mixed.jar",
                "plug.First\nplug Two\nplug.Second\n",
                source("First", "first", ""),
                source("Second", "second", ""));
        checkHarmless(mixed, "plug Two", "line 2");
        Registry registry = load(mixed);
        assertEquals("/codecs/0: made by First", error(registry, "first"));
        assertEquals("/codecs/0: made by Second", error(registry, "second"));
        assertEquals(3, codecs(registry).size());
    }

    @Test
    void tie_betweenJars_namesBoth() throws IOException {
        Path one = jar("one.jar", "plug.One", source("One", "same", ""));
        Path two = jar("two.jar", "plug.Two", source("Two", "same", ""));
        Registry registry = load(one, two);
        String message = error(registry, "same");
        assertTrue(message.contains("plug.One (" + one + ")") && message.contains("plug.Two (" + two + ")"), message);
        Path high = jar("high.jar", "plug.High", source("High", "same", "public int priority() { return 1; }"));
        assertEquals("/codecs/0: made by High", error(load(one, two, high), "same"));
    }

    @Test
    void loader_thatSeesNoServices_saysSo() {
        ClassLoader hidden = new ClassLoader(PluginLoaderTest.class.getClassLoader()) {
            @Override
            public java.util.Enumeration<URL> getResources(String name) {
                return java.util.Collections.emptyEnumeration();
            }
        };
        String message = error(Registry.load(hidden), "bytes");
        assertTrue(message.contains("META-INF/services was not merged"), message);
    }

    @Test
    void loader_thatFailsForEver_endsInAFailure() {
        ClassLoader broken = new ClassLoader(PluginLoaderTest.class.getClassLoader()) {
            @Override
            public java.util.Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("disk gone");
            }
        };
        List<Plugin> plugins = Registry.load(broken).plugins();
        assertEquals(Plugin.Kind.values().length, plugins.size());
        assertTrue(plugins.get(0).state().toString().contains("disk gone"), plugins.toString());
    }
}
