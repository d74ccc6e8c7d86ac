package dev.shardkit.cli.command.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
    private static final Pattern READY =
            Pattern.compile("serving (file:.*) at (http://127\\.0\\.0\\.1:[0-9]+/) \\(.*\\)");

    @TempDir
    Path dir;

    /** A process of the command that has printed its ready line. */
    private record Serving(Process process, BufferedReader out, URI url) {
        static Serving of(String... args) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "dev.shardkit.cli.Main",
                    "serve"));
            command.addAll(List.of(args));
            Process process = new ProcessBuilder(command).start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            assertNotNull(line, () -> "nothing printed; " + text(process));
            Matcher ready = READY.matcher(line);
            assertTrue(ready.matches(), line);
            return new Serving(process, out, URI.create(ready.group(2)));
        }

        HttpResponse<String> get(String path) throws IOException, InterruptedException {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(url.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** Returns the status of a request by a page of an origin. */
        int status(String origin) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(url.resolve("zarr.json"))
                    .header("Origin", origin)
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }

        /** Waits for the end after a signal and returns the exit status. */
        int end() throws IOException, InterruptedException {
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the process did not end");
            assertEquals("", text(process));
            try (ServerSocket free = new ServerSocket()) {
                free.setReuseAddress(true);
                free.bind(new InetSocketAddress("127.0.0.1", url.getPort()));
            }
            return process.exitValue();
        }

        private static String text(Process process) {
            return process.errorReader().lines().toList().toString().replaceAll("^\\[]$", "");
        }
    }

    @Test
    @DisabledOnOs(
            value = OS.WINDOWS,
            disabledReason = "a process is ended, not told to end: its exit status is 1, and nothing runs at its end")
    void serve_servesUntilItIsTerminated() throws Exception {
        Serving serving = Serving.of(Nodes.numbers(dir.resolve("a")), "--port", "0");
        try {
            assertEquals(200, serving.get("zarr.json").statusCode());
            assertEquals(404, serving.get("__shardkit/lock").statusCode());
            assertEquals(
                    "10 11",
                    Cli.good("read", serving.url().toString(), "--region", "1,0:2")
                            .out()
                            .strip()
                            .replace('\n', ' '));
            Cli.bad(
                    1,
                    "cannot listen on port " + serving.url().getPort(),
                    "serve",
                    dir.resolve("a").toString(),
                    "--port",
                    String.valueOf(serving.url().getPort()));
            serving.process().toHandle().destroy(); // Process.destroy would close the streams too
            assertEquals(143, serving.end());
        } finally {
            serving.process().destroyForcibly();
        }
    }

    @Test
    void serve_ofAnImage_printsLinks() throws Exception {
        String url = Nodes.numbers(dir.resolve("a"));
        Serving serving = Serving.of(url, "--port", "0");
        try {
            assertEquals(
                    "neuroglancer: https://neuroglancer-demo.appspot.com/#!%7B%22layers%22%3A%5B%7B%22type%22%3A%22image%22"
                            + "%2C%22source%22%3A%22zarr%3A%2F%2Fhttp%3A%2F%2F127.0.0.1%3A"
                            + serving.url().getPort() + "%2F%22%2C%22name%22%3A%22data%22%7D%5D%7D",
                    serving.out().readLine());
            assertEquals(
                    "vizarr: https://hms-dbmi.github.io/vizarr/?source=http%3A%2F%2F127.0.0.1%3A"
                            + serving.url().getPort() + "%2F",
                    serving.out().readLine());
            assertEquals(200, serving.status("https://hms-dbmi.github.io"));
            assertEquals(200, serving.status("https://neuroglancer-demo.appspot.com"));
            assertEquals(403, serving.status("https://other.example"));
        } finally {
            serving.process().destroyForcibly();
        }
        Serving without = Serving.of(url, "--port", "0", "--no-links");
        try {
            assertEquals(403, without.status("https://hms-dbmi.github.io"));
        } finally {
            without.process().destroyForcibly();
        }
    }

    @Test
    void viewers_showArraysAndPyramids() throws IOException {
        assertTrue(showable(Nodes.numbers(dir.resolve("a"))));
        String tree = Nodes.tree(dir.resolve("b"));
        assertFalse(showable(tree));
        for (String attributes : List.of("{\"multiscales\":[]}", "{\"ome\":{\"multiscales\":[]}}")) {
            Files.writeString(
                    dir.resolve("b/zarr.json"),
                    "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":" + attributes + "}");
            assertTrue(showable(tree));
        }
        Files.writeString(dir.resolve("b/zarr.json"), "broken");
        assertFalse(showable(tree));
    }

    private static boolean showable(String url) {
        try (Store store = Zarr.openStore(url, ZarrOptions.defaults())) {
            return ViewerLinks.find(store, ZarrOptions.defaults()).isPresent();
        }
    }

    @Test
    void serve_endsOnCtrlC() throws Exception {
        Serving serving = Serving.of(Nodes.numbers(dir.resolve("a")), "--port", "0");
        try {
            assumeTrue(takesInterrupts(serving.process().pid()), "SIGINT is ignored here, as in a background shell");
            new ProcessBuilder("kill", "-INT", String.valueOf(serving.process().pid()))
                    .start()
                    .waitFor();
            assertEquals(130, serving.end());
        } finally {
            serving.process().destroyForcibly();
        }
    }

    /** A JVM whose parent ignores SIGINT ignores it too. */
    private static boolean takesInterrupts(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        if (!Files.exists(status)) {
            return false;
        }
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow()
                .substring("SigIgn:".length())
                .strip();
        return (Long.parseUnsignedLong(ignored, 16) & 2) == 0;
    }

    @Test
    void serve_ofSeveralStores_listsThem() throws Exception {
        Nodes.numbers(dir.resolve("a"));
        Nodes.tree(dir.resolve("b"));
        Serving serving = Serving.of(dir.toString(), "--port", "0", "--allow-origin", "https://viewer.example");
        try {
            String page = serving.get("").body();
            assertTrue(page.contains("\"a/\"") && page.contains("\"b/\""), page);
            assertFalse(page.contains("__"), page);
        } finally {
            serving.process().destroyForcibly();
        }
    }

    @Test
    void serve_wrongly_isRefused() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.bad(2, "follows no links", "serve", url, "--follow-links");
        Cli.bad(2, "expected a port from 0 to 65535", "serve", url, "--port", "65536");
        Cli.bad(2, "expected a web origin", "serve", url, "--allow-origin", "*");
        Cli.bad(1, "does not exist", "serve", dir.resolve("none").toString());
        Cli.bad(1, "is not a folder", "serve", dir.resolve("a/zarr.json").toString());
    }
}
