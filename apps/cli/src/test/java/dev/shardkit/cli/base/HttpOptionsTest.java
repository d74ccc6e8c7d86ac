package dev.shardkit.cli.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Headers, tokens and redirects of {@code http:} locations. */
class HttpOptionsTest {
    @TempDir
    private Path folder;

    private RangeServer server;
    private RangeServer other;
    private String array;

    @BeforeEach
    void serve() {
        String local = folder.resolve("a.zarr").toString();
        Cli.good("create", local, "--shape", "4", "--data-type", "uint8", "--chunk-shape", "4");
        assertEquals(
                0,
                Cli.run(new byte[] {7, 7, 7, 7}, "write", local, "--from", "-").status());
        server = RangeServer.over(folder);
        other = RangeServer.over(folder);
        array = server.uri() + "/a.zarr";
    }

    @AfterEach
    void stop() {
        server.close();
        other.close();
    }

    private static void sent(RangeServer to, String header, Optional<String> value) {
        assertFalse(to.log().isEmpty());
        to.log()
                .forEach(hit ->
                        assertEquals(value, Optional.ofNullable(hit.headers().get(header)), hit.toString()));
    }

    @Test
    void readOnlyArrays_haveAReport_andAdvice() {
        Cli.good("report", array, "-o", folder.resolve("report.html").toString());
        Cli.good("advise", array);
    }

    @Test
    void headersAndToken_goWithEachRequest() throws IOException {
        Path headers = Files.writeString(folder.resolve("headers"), "X-One: 1\n\nX-Two:2\n");
        Path token = Files.writeString(folder.resolve("token"), "s3cret\n");
        Cli.good("read", array, "--header", "X-Key: a b", "--header", "@" + headers, "--bearer-token-file", token + "");
        sent(server, "x-key", Optional.of("a b"));
        sent(server, "x-one", Optional.of("1"));
        sent(server, "x-two", Optional.of("2"));
        sent(server, "authorization", Optional.of("Bearer s3cret"));
    }

    @Test
    void redirects_areFollowedToNamedHostsOnly_withoutTheHeaders() {
        server.failNext(1, 302, Map.of("Location", other.uri() + "/a.zarr/zarr.json"));
        Cli.Result refused = Cli.run("info", array, "--header", "X-Key: s3cret");
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("another host"), refused.err());
        assertFalse(refused.err().contains("s3cret"), refused.err());
        server.failNext(1, 302, Map.of("Location", other.uri() + "/a.zarr/zarr.json"));
        Cli.good("info", array, "--header", "X-Key: s3cret", "--follow-redirects", "127.0.0.1");
        sent(other, "x-key", Optional.empty());
        server.failNext(1, 302, Map.of("Location", other.uri() + "/a.zarr/zarr.json"));
        assertEquals(
                1, Cli.run("info", array, "--follow-redirects", "example.org").status());
    }

    @Test
    void serversThatADocumentNames_receiveNoHeaders() throws IOException {
        Path document = folder.resolve("refs.json");
        Files.writeString(document, "{\"zarr.json\": [\"" + array + "/zarr.json\"], \"c/0\": [\"" + array + "/c/0\"]}");
        String location = "reference:" + document + "#allow=" + server.uri() + "/";
        Cli.good("read", location, "--header", "X-Key: s3cret");
        sent(server, "x-key", Optional.empty());
    }

    @Test
    void wrongValues_areNamedWithoutTheirText() {
        for (String[] wrong : List.of(
                new String[] {"--header", "s3cret"},
                new String[] {"--header", "X: a\ns3cret"},
                new String[] {"--header", "@" + folder.resolve("none")},
                new String[] {"--bearer-token-file", folder.resolve("none") + ""})) {
            Cli.Result result = Cli.run("read", array, wrong[0], wrong[1]);
            assertEquals(2, result.status(), result.err());
            assertTrue(result.err().contains(wrong[0]), result.err());
            assertFalse(result.err().contains("s3cret"), result.err());
        }
    }

    @Test
    void netrc_hasALoginForEachHost() {
        Netrc netrc = Netrc.parse("# ours\nmachine A.example login me password p1\nmachine b.example\n  login you\n"
                + "  password p2\ndefault login any password p3\nmacdef init\nmachine c.example login x password y\n");
        assertEquals(Optional.of(new Netrc.Login("me", "p1")), netrc.of("a.example"));
        assertEquals(Optional.of(new Netrc.Login("you", "p2")), netrc.of("B.example"));
        assertEquals(Optional.of(new Netrc.Login("any", "p3")), netrc.of("c.example"));
        assertEquals(
                Optional.empty(), Netrc.parse("machine a login b password c").of("d"));
    }
}
