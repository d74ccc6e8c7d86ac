package dev.shardkit.cli.command.serve;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.TemporaryPaths;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.drawing.GridDrawing;
import dev.shardkit.cli.print.drawing.InnerChunkPositions;
import dev.shardkit.spi.array.Box;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** {@code tour}: demonstrates sharded arrays with real data, and checks every value it reads. */
@Command(
        name = "tour",
        description = {
            "Demonstrate sharded arrays.",
            "Writes an array, serves it on loopback, reads parts of it over HTTP and shows the cost; "
                    + "then repeats that with an array that zarr-python wrote."
        })
public final class TourCommand extends ShardkitCommand {
    // The side lengths of the square array that the tour writes. Its shards consist of inner shards (nested sharding).
    private static final long SIZE = 2048;
    private static final long SHARD = 1024;
    private static final long INNER_SHARD = 64;
    private static final long INNER_CHUNK = 32;

    // The array that zarr-python wrote: its folder, its side length, and its files in the jar.
    private static final String FOREIGN = "zarr-python";
    private static final long FOREIGN_SIZE = 256;
    private static final List<String> FOREIGN_FILES = List.of("zarr.json", "c/0/0");

    private static final String TABLE_HEAD = "   %-38s %8s %12s   %s";
    private static final String TABLE_ROW = "   %-38s %8d %,12d   %s";

    private boolean allCorrect = true;

    public TourCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        long start = System.nanoTime();
        Path folder = TemporaryPaths.createFolder("shardkit-tour-");
        try (TourServer server = TourServer.start(folder)) {
            output().printLine("1. An array that shardkit writes");
            write(folder.resolve("shardkit"));
            // This region crosses the border of two shards.
            readOverHttp(server, folder, "shardkit", SIZE, Box.of(new long[] {992, 600}, new long[] {64, 96}));
            output().printLine("");
            output().printLine("2. An array that zarr-python wrote");
            copyResource(folder.resolve(FOREIGN));
            readOverHttp(server, folder, FOREIGN, FOREIGN_SIZE, Box.of(new long[] {100, 40}, new long[] {20, 50}));
        } finally {
            TemporaryPaths.delete(folder);
        }
        output().printLine("");
        output().printLine(String.format(
                "%s (%.1f seconds)",
                allCorrect ? "Every value was right." : "VALUES WERE WRONG.", (System.nanoTime() - start) / 1e9));
        return allCorrect ? 0 : 1;
    }

    private void write(Path path) {
        ArraySpec spec = ArraySpec.of("uint16", SIZE, SIZE)
                .withShardShape(SHARD, SHARD)
                .withChunkShape(INNER_SHARD, INNER_SHARD)
                .withCodecs(Codecs.sharding(
                        new long[] {INNER_CHUNK, INNER_CHUNK}, Codecs.bytesLittleEndian(), Codecs.zstd(3)));
        try (ZarrArray array = Zarr.createArray(path.toString(), spec)) {
            array.write(array.domain(), new RingPattern(SIZE).values(array.dataType(), array.domain()));
        }
    }

    private static void copyResource(Path path) throws IOException {
        for (String name : FOREIGN_FILES) {
            Path file = path.resolve(name);
            Files.createDirectories(file.getParent());
            try (InputStream in = TourCommand.class.getResourceAsStream("tour/" + FOREIGN + "/" + name)) {
                if (in == null) {
                    throw new FileNotFoundException("tour/" + FOREIGN + "/" + name + " is missing in the jar");
                }
                Files.copy(in, file);
            }
        }
    }

    /**
     * Draws the first shard of an array, reads parts of the array over HTTP, and prints the traffic. Each read opens
     * the array again, so that no shard index is cached.
     *
     * @param name the folder of the array
     * @param size the side length of the array
     */
    private void readOverHttp(TourServer server, Path folder, String name, long size, Box region) throws IOException {
        TourServer.Traffic trafficBefore = server.traffic();
        try (ZarrArray array = Zarr.openArray(server.url() + "/" + name)) {
            TourServer.Traffic openingTraffic = server.traffic().minus(trafficBefore);
            output().printLine("   " + NodeText.toLine(array));
            output().printLine("   in " + folder.resolve(name) + ", served at " + server.url() + "/" + name);
            output().printLine("");
            long[] cell = new long[array.shape().length];
            InnerChunkPositions map = InnerChunkPositions.of(array, cell).orElseThrow();
            map.summaryLines().forEach(line -> output().printLine("   " + line));
            map.drawingLines().forEach(line -> output().printLine("     " + line));
            output().printLine("   " + GridDrawing.LEGEND);
            output().printLine("");
            output().printLine(
                            String.format(TABLE_HEAD, "read over HTTP", "requests", "bytes", "whole shards would be"));
            printRow("the metadata", openingTraffic, "");
        }
        long[] chunkOrigin = {size / 4, size / 4};
        read(server, name, size, "one inner chunk", array -> Box.of(chunkOrigin, array.chunkShape()));
        read(server, name, size, "a region", array -> region);
        output().printLine("   (one request a level, neighbours merged: shards' indexes, inner shards' indexes, "
                + "inner chunks)");
    }

    private void read(TourServer server, String name, long size, String readName, Function<ZarrArray, Box> region) {
        try (ZarrArray array = Zarr.openArray(server.url() + "/" + name)) {
            Box box = region.apply(array);
            TourServer.Traffic trafficBefore = server.traffic();
            boolean isCorrect = array.read(box).equals(new RingPattern(size).values(array.dataType(), box));
            TourServer.Traffic traffic = server.traffic().minus(trafficBefore);
            allCorrect &= isCorrect;
            printRow(readName + " " + box, traffic, wholeShardCost(array, box) + (isCorrect ? "" : "   WRONG VALUES"));
        }
    }

    /** Returns the cost of reading each touched shard as a whole object, as text. */
    private static String wholeShardCost(ZarrArray array, Box box) {
        Box cells = array.storage().touched(box);
        long bytes = 0;
        for (long i = 0; i < cells.count(); i++) {
            bytes += array.storage().storedSize(cells.at(i)).orElse(0);
        }
        return String.format("%,d bytes in %s", bytes, NodeText.count(cells.count(), "request"));
    }

    private void printRow(String readName, TourServer.Traffic traffic, String wholeShardCost) {
        output().printLine(String.format(TABLE_ROW, readName, traffic.requests(), traffic.bytes(), wholeShardCost)
                .stripTrailing());
    }
}
