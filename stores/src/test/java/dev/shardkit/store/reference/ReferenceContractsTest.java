package dev.shardkit.store.reference;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocalReadsContract;
import dev.shardkit.testkit.store.ObjectLocationsContract;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreContract;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Stores of references do what stores must. */
class ReferenceContractsTest {
    private static Store near(Path folder, Map<String, Json> references) throws Exception {
        Path document = folder.resolve("references.json");
        Files.writeString(document, JsonDocuments.text(new Json.Obj(references)));
        return ReferenceStore.builder(document.toUri(), Registry.load()::open).open();
    }

    private static Json list(Object... items) {
        List<Json> list = new ArrayList<>();
        for (Object item : items) {
            list.add(
                    item instanceof String s
                            ? Json.of(s)
                            : item instanceof Json j ? j : Json.of(((Number) item).longValue()));
        }
        return new Json.Arr(list);
    }

    private static Json inline(byte[] bytes) {
        return Json.of("base64:" + Base64.getEncoder().encodeToString(bytes));
    }

    @Nested
    class Locating extends ObjectLocationsContract {
        @TempDir
        Path folder;

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                int size = object.getValue().length;
                references.put(object.getKey(), list(list("all", all.size(), size)));
                all.writeBytes(object.getValue());
            }
            Files.write(folder.resolve("all"), all.toByteArray());
            return near(folder, references);
        }
    }

    @Nested
    class Inline extends LocalReadsContract {
        @TempDir
        Path folder;

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            objects.forEach((key, bytes) -> references.put(key, inline(bytes)));
            return near(folder, references);
        }
    }

    @Nested
    class Ranges extends LocalReadsContract {
        @TempDir
        Path folder;

        private int packs;

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            ByteArrayOutputStream pack = new ByteArrayOutputStream();
            String name = "deeper/pack of all " + packs++;
            Map<String, Json> references = new LinkedHashMap<>();
            for (Map.Entry<String, byte[]> e : objects.entrySet()) {
                pack.write(7);
                references.put(e.getKey(), list(name, pack.size(), e.getValue().length));
                pack.writeBytes(e.getValue());
            }
            Files.createDirectories(folder.resolve("deeper"));
            Files.write(folder.resolve(name), pack.toByteArray());
            return near(folder, references);
        }
    }

    @Nested
    class Any extends StoreContract {
        @TempDir
        Path folder;

        private Map<String, Json> last = Map.of();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            for (Map.Entry<String, byte[]> e : objects.entrySet()) {
                String name = "file" + references.size();
                Files.write(folder.resolve(name), e.getValue());
                references.put(e.getKey(), list(name, 0, e.getValue().length));
            }
            last = references;
            return near(folder, references);
        }

        @Override
        protected Optional<Store> reopened() throws Exception {
            return Optional.of(near(folder, last));
        }
    }

    @Nested
    class AnyRemote extends StoreContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            objects.forEach((key, value) -> {
                server.put("data/" + key, value);
                references.put(key, list("data/" + key));
            });
            server.put(
                    "references.json",
                    JsonDocuments.text(new Json.Obj(references)).getBytes(StandardCharsets.UTF_8));
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() throws Exception {
            URI document = URI.create(server.uri() + "/references.json");
            return Optional.of(
                    ReferenceStore.builder(document, Registry.load()::open).open());
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @TempDir
        Path folder;

        @Override
        protected Store freshStore() throws Exception {
            return storeOf(Map.of());
        }

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            objects.forEach((key, bytes) -> references.put(key, inline(bytes)));
            return near(folder, references);
        }
    }

    @Nested
    class ListingRemote extends ListingsContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store freshStore() throws Exception {
            return storeOf(Map.of());
        }

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            objects.forEach((key, bytes) -> references.put(key, inline(bytes)));
            server.put(
                    "references.json",
                    JsonDocuments.text(new Json.Obj(references)).getBytes(StandardCharsets.UTF_8));
            URI document = URI.create(server.uri() + "/references.json");
            return ReferenceStore.builder(document, Registry.load()::open).open();
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    /** Halves of values: in the document, in a file. */
    @Nested
    class Pieces extends LocalReadsContract {
        @TempDir
        Path folder;

        private int files;

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            for (Map.Entry<String, byte[]> e : objects.entrySet()) {
                byte[] value = e.getValue();
                int half = value.length / 2;
                String name = "file" + files++;
                Files.write(folder.resolve(name), value);
                references.put(
                        e.getKey(),
                        list(
                                list(name, 0, half, value.length),
                                inline(java.util.Arrays.copyOfRange(value, half, value.length))));
            }
            return near(folder, references);
        }
    }

    @Nested
    class Remote extends RemoteChangesContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store freshStore() throws Exception {
            Map<String, Json> references = new LinkedHashMap<>();
            for (String key : List.of(
                    "a/b",
                    "a/c/0",
                    "k",
                    "a b",
                    "%2e%2e/x",
                    "a%20b",
                    "a+b",
                    "a?b=c",
                    "a#b",
                    "\u00e4/\u65e5",
                    "a;b",
                    "a:b@c",
                    "~",
                    "a&b",
                    "\ud83d\ude00",
                    "x/..y",
                    "\"q\"",
                    "a\\b")) {
                references.put(
                        key,
                        list("../data/"
                                + URLEncoder.encode(key, StandardCharsets.UTF_8)
                                        .replace("+", "%20")
                                        .replace("%2F", "/")));
            }
            server.put(
                    "docs/references.json",
                    JsonDocuments.text(new Json.Obj(references)).getBytes(StandardCharsets.UTF_8));
            URI document = URI.create(server.uri() + "/docs/references.json");
            return ReferenceStore.builder(document, Registry.load()::open).open();
        }

        @Override
        protected void serve(String key, byte[] value) {
            server.put("data/" + key, value);
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }
}
