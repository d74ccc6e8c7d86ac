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
 * Measures each HTTP client through the transport interface: CPU of this process and time of requests for 4 KiB, and of
 * bodies of 8 MiB. The server is another process and serves a file of 8 MiB or more; see the README.
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

    /** Measures all clients, or the one that the second argument names; the first is the URL of the file. */
    public static void main(String[] args) throws InterruptedException {
        URI uri = URI.create(args[0]);
        List<TransportProvider> providers = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> args.length < 2 || p.name().equals(args[1]))
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
            long cpu0 = cpu();
            long wall0 = System.nanoTime();
            round(size, inFlight, requests);
            cpu = Math.min(cpu, cpu() - cpu0);
            wall = Math.min(wall, System.nanoTime() - wall0);
        }
        double each = 1e3 * requests;
        System.out.printf(
                "%-8s %,9d bytes, %2d in flight: %8.1f us CPU, %8.1f us a request, %6.0f MB/s%n",
                name, size, inFlight, cpu / each, wall / each, 1e3 * size * requests / wall);
    }

    private void round(int size, int inFlight, int requests) throws InterruptedException {
        Semaphore places = new Semaphore(inFlight);
        bytes.set(0);
        for (int i = 0; i < requests; i++) {
            places.acquire();
            transport.send(new Taker(Map.of("Range", "bytes=0-" + (size - 1)), places));
        }
        places.acquire(inFlight);
        if (failures.get() > 0 || bytes.get() != (long) size * requests) {
            throw new IllegalStateException("expected " + (long) size * requests + " bytes and no failure, found "
                    + bytes.get() + " bytes and " + failures.get() + " failures");
        }
    }

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Copies a body into an array, as stores do. */
    private final class Taker implements Transport.Receiver {
        private final Map<String, String> headers;
        private final Semaphore places;
        private byte[] body = new byte[0];
        private int filled;

        Taker(Map<String, String> headers, Semaphore places) {
            this.headers = headers;
            this.places = places;
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
            int n = Math.min(piece.remaining(), body.length - filled);
            piece.get(body, filled, n);
            filled += n;
            return Transport.Wish.MORE;
        }

        @Override
        public void done() {
            bytes.addAndGet(filled);
            places.release();
        }

        @Override
        public void failed(Throwable failure) {
            failures.incrementAndGet();
            places.release();
        }
    }
}
