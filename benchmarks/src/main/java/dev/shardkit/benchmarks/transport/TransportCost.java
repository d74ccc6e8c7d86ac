package dev.shardkit.benchmarks.transport;

import com.sun.management.OperatingSystemMXBean;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures each HTTP client through the transport interface, for responses of 4 KiB and of 8 MiB. Prints the CPU time
 * of this process and the elapsed time of a request. The server is another process that serves a file of 8 MiB or more;
 * see the README.
 *
 * <pre>TransportCost URL [CLIENT]
 *
 * URL      the URL of the file
 * CLIENT   the name of the only client to measure; by default all are measured</pre>
 */
public final class TransportCost {
    private static final int SMALL = 4 << 10;
    private static final int LARGE = 8 << 20;
    private static final int ROUNDS = 5;

    private final Transport transport;
    private final URI uri;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private TransportCost(Transport transport, URI uri) {
        this.transport = transport;
        this.uri = uri;
    }

    /** Runs the benchmark. */
    public static void main(String[] args) throws InterruptedException {
        URI uri = URI.create(args[0]);
        List<TransportProvider> providers = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> args.length < 2 || provider.name().equals(args[1]))
                .sorted(Comparator.comparing(TransportProvider::name))
                .toList();
        for (TransportProvider provider : providers) {
            try (Transport transport = provider.open(TransportSettings.of(Protocol.HTTP_2, Duration.ofSeconds(10)))) {
                TransportCost cost = new TransportCost(transport, uri);
                cost.measure(provider.name(), SMALL, 1, 20_000);
                cost.measure(provider.name(), SMALL, 16, 40_000);
                cost.measure(provider.name(), LARGE, 1, 100);
                cost.measure(provider.name(), LARGE, 8, 200);
            }
        }
    }

    /** Prints the best of several rounds, after two warm-up rounds. */
    private void measure(String name, int size, int inFlight, int requests) throws InterruptedException {
        round(size, inFlight, requests);
        round(size, inFlight, requests);
        long cpu = Long.MAX_VALUE;
        long wall = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long cpuStart = cpu();
            long wallStart = System.nanoTime();
            round(size, inFlight, requests);
            cpu = Math.min(cpu, cpu() - cpuStart);
            wall = Math.min(wall, System.nanoTime() - wallStart);
        }
        double perRequest = 1e3 * requests; // nanoseconds of the round divided by this: microseconds of a request
        System.out.printf(
                "%-8s %,9d bytes, %2d in flight: %8.1f us CPU, %8.1f us a request, %6.0f MB/s%n",
                name, size, inFlight, cpu / perRequest, wall / perRequest, 1e3 * size * requests / wall);
    }

    /** Sends requests for the first {@code size} bytes, {@code inFlight} at a time, and checks what was received. */
    private void round(int size, int inFlight, int requests) throws InterruptedException {
        Semaphore permits = new Semaphore(inFlight);
        bytes.set(0);
        for (int i = 0; i < requests; i++) {
            permits.acquire();
            transport.send(new BodyCopier(Map.of("Range", "bytes=0-" + (size - 1)), permits));
        }
        permits.acquire(inFlight);
        if (failures.get() > 0 || bytes.get() != (long) size * requests) {
            throw new IllegalStateException("expected " + (long) size * requests + " bytes and no failure, found "
                    + bytes.get() + " bytes and " + failures.get() + " failures");
        }
    }

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Copies the body of a response into an array, as stores do. */
    private final class BodyCopier implements Transport.Receiver {
        private final Map<String, String> headers;
        private final Semaphore permits;
        private byte[] body = new byte[0];
        private int filled;

        BodyCopier(Map<String, String> headers, Semaphore permits) {
            this.headers = headers;
            this.permits = permits;
        }

        @Override
        public Request request() {
            return Request.get(uri, headers);
        }

        @Override
        public boolean requestMayWait() {
            return false;
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            long length =
                    Long.parseLong(head.headers().firstValue("Content-Length").orElse("0"));
            body = new byte[(int) Math.min(length, LARGE)];
            return this::take;
        }

        private Transport.Wish take(ByteBuffer piece) {
            int count = Math.min(piece.remaining(), body.length - filled);
            piece.get(body, filled, count);
            filled += count;
            return Transport.Wish.MORE;
        }

        @Override
        public void done() {
            bytes.addAndGet(filled);
            permits.release();
        }

        @Override
        public void failed(Throwable failure) {
            failures.incrementAndGet();
            permits.release();
        }
    }
}
