package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.serve.DataServer;
import dev.shardkit.serve.ServerOptions;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes whose names begin with two underscores, as anndata 0.7 writes {@code obs/__categories}. Zarr v2 and HDF5 allow
 * them, Zarr v3 reserves them, and zarr-python writes them in both.
 */
class CategoriesTest {
    private static final String ARRAY_V2 = "{\"zarr_format\":2,\"shape\":[3],\"chunks\":[3],\"dtype\":\"|u1\","
            + "\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}";
    private static final String GROUP_V2 = "{\"zarr_format\":2}";
    private static final String ARRAY_V3 = "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[3],"
            + "\"data_type\":\"uint8\",\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[3]}},"
            + "\"chunk_key_encoding\":{\"name\":\"default\"},\"fill_value\":0,\"codecs\":[\"bytes\"],\"attributes\":{}}";
    private static final String GROUP_V3 = "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{}}";

    @TempDir
    Path dir;

    private String v2;
    private String v3;
    private String hdf5;

    @BeforeEach
    void writeTrees() throws IOException {
        v2 = tree("v2");
        v3 = tree("v3");
        hdf5 = dir.resolve("a.h5").toString();
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("categories.h5"))) {
            Files.copy(in, Path.of(hdf5));
        }
    }

    private String tree(String name) throws IOException {
        boolean isV3 = name.equals("v3");
        for (String group : List.of("", "obs", "obs/__categories")) {
            put(name + "/" + group + (isV3 ? "/zarr.json" : "/.zgroup"), isV3 ? GROUP_V3 : GROUP_V2);
        }
        for (String array : List.of("obs/cell", "obs/__categories/cell")) {
            array(name + "/" + array, isV3);
        }
        return dir.resolve(name).toString();
    }

    private void array(String path, boolean isV3) throws IOException {
        put(path + (isV3 ? "/zarr.json" : "/.zarray"), isV3 ? ARRAY_V3 : ARRAY_V2);
        put(path + (isV3 ? "/c/0" : "/0"), "\7\10\11");
    }

    private void put(String path, String content) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private List<String> trees() {
        return List.of(v2, v3, hdf5);
    }

    @Test
    void walks_showThem() {
        for (String tree : trees()) {
            assertTrue(Cli.good("ls", tree).out().contains("__categories"), tree);
            assertTrue(Cli.good("tree", tree).out().contains("__categories"), tree);
            assertTrue(Cli.good("du", tree).out().contains("/obs/__categories/cell"), tree);
            assertTrue(Cli.run("verify", tree).out().contains("2 arrays, "), tree);
        }
        assertArrayEquals(
                new byte[] {7, 8, 9},
                Cli.good("read", v2 + "/obs/__categories/cell", "--format", "raw")
                        .bytes());
    }

    @Test
    void ownFiles_stayHidden() throws IOException {
        put("v2/obs/__relayout/.zgroup", GROUP_V2);
        put("v2/obs/__shardkit/.zgroup", GROUP_V2);
        String shown = Cli.good("ls", v2).out();
        assertFalse(shown.contains("__relayout") || shown.contains("__shardkit"), shown);
    }

    @Test
    void verify_notesThem_inZarrV3Only() {
        Cli.Result clean = Cli.good("verify", v2);
        assertTrue(clean.out().contains("0 errors, 0 notes"), clean.out());
        Cli.Result noted = Cli.run("verify", v3);
        assertTrue(noted.out().contains("obs/__categories") && noted.out().contains("0 errors, 1 note"), noted.out());
    }

    @Test
    void copy_namesThem_andCopiesTheRest() {
        for (String tree : trees()) {
            String copy = tree + "-copy";
            Cli.Result result = Cli.run("copy", tree, copy);
            assertEquals(1, result.status(), result.err());
            assertEquals(2, result.err().lines().count(), result.err());
            assertTrue(result.err().contains("left out /obs/__categories: Zarr v3 reserves names"), result.err());
            assertTrue(result.err().contains("left out /obs/__categories/cell: "), result.err());
            assertFalse(Cli.good("ls", copy).out().contains("__categories"));
            Cli.good("read", copy + "/obs/cell");
            Cli.Result different = Cli.run("diff", tree, copy, "--ignore-layout");
            assertEquals(1, different.status(), different.out());
            assertTrue(different.out().contains("__categories"), different.out());
        }
    }

    @Test
    void copyOfTheNodeItself_works() {
        Cli.good("copy", v2 + "/obs/__categories", dir.resolve("categories").toString());
        Cli.good("diff", v2 + "/obs/__categories", dir.resolve("categories").toString(), "--ignore-layout");
    }

    @Test
    void convert_refusesThem_andWritesNothing() {
        Path out = dir.resolve("converted");
        Cli.Result result = Cli.run("convert", v2, "--to", out.toString());
        assertEquals(1, result.status());
        assertTrue(result.out().contains("/obs/__categories: refused; Zarr v3 reserves"), result.out());
        assertTrue(result.out().contains("/obs/__categories/cell: refused; "), result.out());
        assertFalse(Files.exists(out.resolve("zarr.json")));
        assertEquals(1, Cli.run("convert", v2).status());
        assertFalse(Files.exists(dir.resolve("v2/zarr.json")));
    }

    @Test
    void moveAndRemoval_knowThem() {
        String moved = dir.resolve("moved").toString();
        Cli.good("mv", v2, moved);
        assertTrue(Cli.good("ls", moved).out().contains("__categories"));
        Cli.good("rm", moved + "/obs/__categories", "--recursive");
        assertFalse(Cli.good("ls", moved).out().contains("__categories"));
        Cli.good("rm", v3, "--recursive");
        assertFalse(Files.exists(Path.of(v3)));
    }

    @Test
    void consolidatedStores_openWithThem() throws IOException {
        assertEquals(
                "consolidated the metadata of 4 nodes",
                Cli.good("consolidate", v3).out().strip());
        assertTrue(Cli.good("ls", v3).out().contains("__categories"));
        put(
                "v2/.zmetadata",
                "{\"zarr_consolidated_format\":1,\"metadata\":{\".zgroup\":" + GROUP_V2 + ",\"obs/.zgroup\":" + GROUP_V2
                        + ",\"obs/__categories/.zgroup\":" + GROUP_V2 + ",\"obs/__categories/cell/.zarray\":" + ARRAY_V2
                        + ",\"obs/cell/.zarray\":" + ARRAY_V2 + "}}");
        assertTrue(Cli.good("ls", v2).out().contains("__categories"));
    }

    @Test
    void nodesThatReadersDoNotFind_areNamed() throws IOException {
        for (String format : List.of("v2", "v3")) {
            String tree = dir.resolve("hidden-" + format).toString();
            boolean isV3 = format.equals("v3");
            put("hidden-" + format + (isV3 ? "/zarr.json" : "/.zgroup"), isV3 ? GROUP_V3 : GROUP_V2);
            for (String path : List.of("a", "a/b", "p/q")) {
                array("hidden-" + format + "/" + path, isV3);
            }
            Cli.Result copied = Cli.run("copy", tree, tree + "-copy");
            assertEquals(0, copied.status(), copied.err());
            assertTrue(copied.err().contains("left out /a/b: it lies in the folder of an array"), copied.err());
            assertTrue(copied.err().contains("left out /p/q: a folder above it is no group"), copied.err());
            String verified = Cli.run("verify", tree).out();
            assertTrue(verified.contains("a/b") && verified.contains("the folder of an array"), verified);
            assertTrue(verified.contains("p/q") && verified.contains("a folder that is no group"), verified);
            assertTrue(verified.contains("0 errors, 2 notes"), verified);
        }
    }

    @Test
    void server_servesThem() throws Exception {
        for (String tree : List.of(v2, v3)) {
            try (Store store = Zarr.openStore(tree, ZarrOptions.defaults());
                    DataServer server =
                            DataServer.start(store, ServerOptions.defaults().withPort(0))) {
                URI key = server.url().resolve("obs/__categories/cell/" + (tree.equals(v3) ? "c/0" : "0"));
                assertEquals(200, status(key), tree);
                assertEquals(200, status(server.url().resolve("__v3/obs/__categories/cell/zarr.json")), tree);
                assertEquals(404, status(server.url().resolve("__shardkit/lock")), tree);
            }
        }
    }

    private static int status(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
