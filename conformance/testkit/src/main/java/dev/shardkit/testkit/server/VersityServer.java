package dev.shardkit.testkit.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Runs the S3 server versitygw (Apache-2.0) for the tests of this JVM. {@code .ci/versitygw} of shardkit builds it; if
 * it is not built, tests are skipped. Its access key is {@link #ACCESS_KEY} with {@link #SECRET_KEY}. Thread-safe.
 */
public final class VersityServer {
    /** The id of the access key. */
    public static final String ACCESS_KEY = "testing";
    /** The secret of the access key. */
    public static final String SECRET_KEY = "testing12";
    /** The bucket. */
    public static final String BUCKET = "tests";
    /** The domain whose subdomains name buckets, as in {@code http://tests.s3.test:PORT}; no name service knows it. */
    public static final String DOMAIN = "s3.test";

    /** The number of prefixes that were handed out. */
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private static final Optional<URI> SERVER = start();

    private VersityServer() {}

    /** Starts the server, which ends with this JVM; empty if it cannot run here. */
    private static Optional<URI> start() {
        String cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .orElse(System.getProperty("user.home") + "/.cache");
        Path binary = Path.of(cache, "shardkit/versitygw-v1.8.0/versitygw");
        if (!Files.isExecutable(binary)) {
            return Optional.empty();
        }
        try {
            Path folder = Files.createTempDirectory("versitygw");
            Files.createDirectories(folder.resolve("data/" + BUCKET));
            if (!hasAttributes(folder)) {
                delete(folder);
                return Optional.empty();
            }
            int port = freePort();
            String address = "127.0.0.1:" + port;
            ProcessBuilder command = new ProcessBuilder(
                    binary.toString(),
                    "--quiet",
                    "--keep-alive",
                    "--port",
                    address,
                    "--virtual-domain",
                    DOMAIN,
                    "posix",
                    folder.resolve("data").toString());
            command.environment().putAll(Map.of("ROOT_ACCESS_KEY", ACCESS_KEY, "ROOT_SECRET_KEY", SECRET_KEY));
            Process server = command.redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            await(server, port);
            return Optional.of(URI.create("http://" + address));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the file system supports user attributes, in which the server stores metadata of objects. */
    private static boolean hasAttributes(Path folder) {
        try {
            Files.setAttribute(folder, "user:shardkit", new byte[1]);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until the server accepts connections. Pauses between attempts; fails at once if the server has ended. */
    private static void await(Process server, int port) throws IOException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (hasEnded(server) || System.nanoTime() > end) {
                    throw new IOException("versitygw does not answer at port " + port, e);
                }
            }
        }
    }

    private static boolean hasEnded(Process server) throws IOException {
        try {
            return server.waitFor(5, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before versitygw answered");
        }
    }

    private static void stop(Process server, Path folder) {
        server.destroyForcibly();
        try {
            server.waitFor(10, TimeUnit.SECONDS);
            delete(folder);
        } catch (IOException | InterruptedException e) {
            return; // the folder is temporary
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    /** Returns the server's URL; skips the test if there is none. */
    public static URI server() {
        assumeTrue(
                SERVER.isPresent(),
                "skipped: no versitygw here (.ci/versitygw builds it), or no user attributes in the temporary folder");
        return SERVER.orElseThrow();
    }

    /** Returns a new prefix in the bucket, below which no object exists. */
    public static String fresh() {
        return "p " + PREFIXES.incrementAndGet() + "/" + ProcessHandle.current().pid();
    }
}
