package dev.shardkit.store.cloudtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The server of a cloud, for the tests of this JVM. A script in {@code .ci} puts it into the cache; where it is not,
 * the tests are skipped. It ends with the JVM.
 */
public final class Emulator {
    private final String name;
    private final Optional<URI> uri;

    private Emulator(String name, Optional<URI> uri) {
        this.name = name;
        this.uri = uri;
    }

    /**
     * Starts a server if it is in the cache.
     *
     * @param name its name, also that of its script
     * @param file the file in the cache
     * @param command the command; {@code {file}}, {@code {port}} and {@code {folder}} are replaced, the last by a new
     *     folder
     * @param environment more environment variables
     */
    public static Emulator start(String name, String file, List<String> command, Map<String, String> environment) {
        String cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .orElse(System.getProperty("user.home") + "/.cache");
        Path binary = Path.of(cache, "shardkit").resolve(file);
        if (!Files.exists(binary)) {
            return new Emulator(name, Optional.empty());
        }
        try {
            Path folder = Files.createTempDirectory(name);
            int port = freePort();
            List<String> words = new ArrayList<>();
            command.forEach(word -> words.add(word.replace("{file}", binary.toString())
                    .replace("{port}", Integer.toString(port))
                    .replace("{folder}", folder.toString())));
            ProcessBuilder process = new ProcessBuilder(words).redirectErrorStream(true);
            process.environment().putAll(environment);
            Process server =
                    process.redirectOutput(folder.resolve("log").toFile()).start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            await(name, server, port);
            return new Emulator(name, Optional.of(URI.create("http://127.0.0.1:" + port)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the server; skips the test if there is none. */
    public URI uri() {
        assumeTrue(uri.isPresent(), "skipped: no " + name + " here; .ci/" + name + " brings it");
        return uri.orElseThrow();
    }

    /** Sends a request that prepares the server. */
    static void check(HttpRequest request, int status) {
        try {
            var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != status) {
                throw new IllegalStateException(answer + ": " + answer.body());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Between two looks it waits for the end of the server, so that it takes no processor from the server. */
    private static void await(String name, Process server, int port) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (hasEnded(server) || System.nanoTime() > end) {
                    throw new IOException(name + " does not answer at port " + port, e);
                }
            }
        }
    }

    private static boolean hasEnded(Process server) throws IOException {
        try {
            return server.waitFor(5, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the server answered");
        }
    }

    private static void stop(Process server, Path folder) {
        server.destroyForcibly();
        try {
            server.waitFor(10, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException | InterruptedException e) {
            return; // the folder is temporary
        }
    }
}
