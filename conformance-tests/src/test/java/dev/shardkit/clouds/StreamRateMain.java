package dev.shardkit.clouds;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Streams frames of 2 MiB into a bucket behind a proxy that passes a bounded number of bytes a second, and prints the
 * rate and the times of single writes: {@code s3|google|azure MEGABYTES_PER_SECOND FRAMES [zstd|lz4|raw]}.
 */
final class StreamRateMain {
    private static final int EDGE = 1024;
    private static final int DISTINCT = 8;

    private StreamRateMain() {}

    /** A proxy that passes bytes to a server at a bounded rate; what the server says passes at once. */
    private static final class PacedProxy implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        private final URI server;
        private final double nanosPerByte;
        /** When the bytes so far have passed. Guarded by this object. */
        private long free = System.nanoTime();

        PacedProxy(URI server, double megabytes) throws IOException {
            this.server = server;
            this.nanosPerByte = 1e3 / megabytes;
            start(this::accept);
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + listening.getLocalPort() + server.getRawPath());
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work, "paced-proxy");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = listening.accept();
                    Socket upstream = new Socket(server.getHost(), server.getPort());
                    client.setTcpNoDelay(true);
                    upstream.setTcpNoDelay(true);
                    start(() -> pass(client, upstream, true));
                    start(() -> pass(upstream, client, false));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void pass(Socket from, Socket to, boolean isPaced) {
            byte[] buffer = new byte[64 << 10];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (isPaced) {
                        await(count);
                    }
                    out.write(buffer, 0, count);
                }
            } catch (IOException e) {
                // the connection has ended
            }
        }

        private void await(int bytes) {
            long due;
            synchronized (this) {
                free = Math.max(free, System.nanoTime()) + (long) (bytes * nanosPerByte);
                due = free;
            }
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    public static void main(String[] args) throws IOException {
        Bucket bucket =
                switch (args[0]) {
                    case "google" -> Bucket.ofGoogle();
                    case "azure" -> Bucket.ofAzure();
                    default -> Bucket.ofS3();
                };
        int count = Integer.parseInt(args[2]);
        String codec = args.length > 3 ? args[3] : "zstd";
        ByteBuffer[] frames = new ByteBuffer[DISTINCT];
        Random random = new Random(1);
        for (int f = 0; f < DISTINCT; f++) {
            frames[f] = ByteBuffer.allocateDirect(2 * EDGE * EDGE).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < EDGE * EDGE; i++) {
                frames[f].putShort(2 * i, (short) (200 + 100 * Math.sin(i / 9e4 + f) + 14 * random.nextGaussian()));
            }
        }
        try (PacedProxy proxy = new PacedProxy(bucket.endpoint(), Double.parseDouble(args[1]));
                Store store = bucket.through(proxy.uri())) {
            ArraySpec spec = ArraySpec.of("uint16", 0, EDGE, EDGE)
                    .withShardShape(32, EDGE, EDGE)
                    .withChunkShape(8, 256, 256);
            spec = switch (codec) {
                case "raw" -> spec.withCodecs(Codecs.bytesLittleEndian());
                case "lz4" -> spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.blosc("lz4", 1, Short.BYTES));
                default -> spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(1));
            };
            ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.OVERWRITE, ZarrOptions.defaults());
            SliceOptions growing =
                    SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW).withBudgetBytes(512 << 20);
            long[] times = new long[count];
            long start = System.nanoTime();
            try (SliceWriter slices = array.slices(0, growing)) {
                for (int i = 0; i < count; i++) {
                    long begun = System.nanoTime();
                    slices.write(frames[i % DISTINCT]);
                    times[i] = System.nanoTime() - begun;
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            Arrays.sort(times);
            System.out.printf(
                    "%s %s, %s MB/s: %.1f MB/s, write p50 %.1f ms, p99 %.1f ms, most %.1f ms%n",
                    args[0],
                    codec,
                    args[1],
                    count * 2.0 * EDGE * EDGE / 1e6 / seconds,
                    times[count / 2] / 1e6,
                    times[count * 99 / 100] / 1e6,
                    times[count - 1] / 1e6);
        }
    }
}
