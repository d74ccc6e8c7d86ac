package dev.shardkit.benchmarks.readers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.policy.ShardReadPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures reads of regions over HTTP with a latency of 20 ms and a shared bandwidth of 10 MB/s. Compares time,
 * requests and bytes of four ways to read: the default with a store that has just been opened; the default with a store
 * that has measured latency and bandwidth of the link; whole shards; and one request for each inner chunk. Checks every
 * value. Prints a table.
 *
 * <pre>NarrowLink FOLDER SERVER
 *
 * FOLDER    the folder in which the array is created
 * SERVER    the program of the lab's server</pre>
 */
public final class NarrowLink {
    private static final int LATENCY_MS = 20;
    private static final long BYTES_PER_SECOND = 10_000_000;

    private static final String LINK_KNOWN = "default, link known";

    private final Sample sample = new Sample();
    private final LabServer server;
    private final String name;

    private NarrowLink(LabServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Runs the benchmark. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        String name = new Sample().write(folder);
        Map<String, Box> regions = new LinkedHashMap<>();
        regions.put("one inner chunk", box(32, 64, 96, 32, 32, 32));
        regions.put("unaligned 50^3", box(20, 75, 30, 50, 50, 50));
        regions.put("one z plane", box(100, 0, 0, 1, 256, 256));
        regions.put("unaligned 100^3", box(10, 10, 10, 100, 100, 100));
        regions.put("all but a margin of a shard", box(0, 0, 0, 127, 127, 127));
        Map<String, ZarrOptions> ways = new LinkedHashMap<>();
        ways.put("default", ZarrOptions.defaults());
        // Without a cache, the read that measures the link leaves nothing behind for the measured one.
        ways.put(LINK_KNOWN, ZarrOptions.defaults().withCacheBytes(0));
        ways.put("whole shards", ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.WHOLE_SHARD));
        ways.put(
                "one request an inner chunk",
                ZarrOptions.defaults()
                        .withReadPolicy(ShardReadPolicy.RANGES)
                        // No two ranges are merged: the result would be larger than one byte.
                        .withMergePolicy(
                                new MergePolicy(0, 1, MergePolicy.remote().parallel())));
        try (LabServer server = new LabServer(Path.of(args[1]), folder)) {
            NarrowLink link = new NarrowLink(server, name);
            System.out.println("| region | way | ms | requests | bytes |\n|---|---|---|---|---|");
            for (Map.Entry<String, Box> region : regions.entrySet()) {
                for (Map.Entry<String, ZarrOptions> way : ways.entrySet()) {
                    link.read(region.getKey(), region.getValue(), way.getKey(), way.getValue());
                }
            }
        }
    }

    private static Box box(long z, long y, long x, long... shape) {
        return Box.of(new long[] {z, y, x}, shape);
    }

    /** Reads a region in one way, checks the elements, and prints a row of the table. */
    private void read(String region, Box box, String way, ZarrOptions options) throws IOException {
        try (ZarrArray local = Zarr.openArray(server.at(0, name), options)) {
            local.read(box); // warm-up: the JVM loads and compiles classes
        }
        try (ZarrArray array = Zarr.openArray(server.at(LATENCY_MS, BYTES_PER_SECOND, name), options)) {
            if (way.equals(LINK_KNOWN)) {
                array.read(box(200, 200, 200, 40, 40, 40)); // lets the store measure the link
            }
            server.reset();
            long begun = System.nanoTime();
            NdArray read = array.read(box);
            double ms = (System.nanoTime() - begun) / 1e6;
            JsonNode stats = server.stats();
            check(box, read);
            System.out.printf(
                    "| %s | %s | %,.0f | %d | %,d |%n",
                    region,
                    way,
                    ms,
                    stats.get("Requests").asLong(),
                    stats.get("DataBytes").asLong());
        }
    }

    /** Compares the elements of a region with those that were written. */
    private void check(Box box, NdArray read) {
        short[] values = read.shorts();
        int i = 0;
        for (long z = box.origin(0); z < box.end(0); z++) {
            for (long y = box.origin(1); y < box.end(1); y++) {
                for (long x = box.origin(2); x < box.end(2); x++) {
                    if (values[i++] != sample.at(z, y, x)) {
                        throw new IllegalStateException("wrong value at " + z + ", " + y + ", " + x);
                    }
                }
            }
        }
    }
}
