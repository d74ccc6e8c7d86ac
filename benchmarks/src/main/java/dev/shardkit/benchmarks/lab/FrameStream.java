package dev.shardkit.benchmarks.lab;

import com.sun.management.OperatingSystemMXBean;
import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Streams frames into new arrays, as fast as they are taken, and prints the time of each frame. The arguments: the file
 * of the frames, the folder of the arrays, the regime (raw, lz4 or zstd), the strategy, the budget in MiB, the edge of
 * a frame, the depths of a shard and of an inner chunk, the edge of an inner chunk, the number of frames, in how many
 * tiles along each edge a frame comes (1: it comes whole), and how many arrays to write. Prints a line for each array:
 * the seconds of the whole stream, those of the processor, then the nanoseconds of each frame.
 */
public final class FrameStream {
    private FrameStream() {}

    /** Runs the streams. */
    public static void main(String[] args) throws IOException {
        int edge = Integer.parseInt(args[5]);
        int count = Integer.parseInt(args[9]);
        short[][] frames = frames(Path.of(args[0]), edge);
        SliceOptions options = SliceOptions.defaults()
                .withGrowth(SliceOptions.Growth.GROW)
                .withStrategy(SliceStrategy.valueOf(args[3].toUpperCase(Locale.ROOT)))
                .withBudgetBytes(Long.parseLong(args[4]) << 20);
        ArraySpec spec = ArraySpec.of("uint16", 0, edge, edge)
                .withShardShape(Long.parseLong(args[6]), edge, edge)
                .withChunkShape(Long.parseLong(args[7]), Long.parseLong(args[8]), Long.parseLong(args[8]))
                .withCodecs(codecs(args[2]));
        int tiles = Integer.parseInt(args[10]);
        for (int stream = 0; stream < Integer.parseInt(args[11]); stream++) {
            String place = Path.of(args[1]).resolve(Integer.toString(stream)).toString();
            try (ZarrArray array = Zarr.createArray(
                    place, spec, IfExists.REFUSE, ZarrOptions.defaults().withDurability(Durability.ATOMIC))) {
                System.out.println(
                        stream(array, options, tiles == 1 ? frames : tiled(frames, edge, tiles), count, tiles));
            }
        }
    }

    private static Json[] codecs(String regime) {
        return regime.equals("raw")
                ? new Json[] {Codecs.bytesLittleEndian()}
                : new Json[] {Codecs.bytesLittleEndian(), Codecs.blosc(regime, 1, Short.BYTES)};
    }

    private static short[][] frames(Path file, int edge) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        short[][] frames = new short[bytes.remaining() / (edge * edge * Short.BYTES)][edge * edge];
        for (short[] frame : frames) {
            bytes.asShortBuffer().get(frame);
            bytes.position(bytes.position() + edge * edge * Short.BYTES);
        }
        return frames;
    }

    /** Returns frames whose tiles follow one another, as cameras with several sensors send them. */
    private static short[][] tiled(short[][] frames, int edge, int tiles) {
        int side = edge / tiles;
        short[][] tiled = new short[frames.length][edge * edge];
        for (int f = 0; f < frames.length; f++) {
            for (int i = 0; i < edge * edge; i++) {
                int tile = i / edge / side * tiles + i % edge / side;
                tiled[f][tile * side * side + i / edge % side * side + i % edge % side] = frames[f][i];
            }
        }
        return tiled;
    }

    private static void writeTiles(SliceWriter slices, short[] frame, int tiles) {
        int side = (int) Math.sqrt(frame.length) / tiles;
        for (int tile = 0; tile < tiles * tiles; tile++) {
            long[] origin = {(long) tile / tiles * side, (long) tile % tiles * side};
            ByteBuffer pixels = ByteBuffer.allocate(side * side * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            pixels.asShortBuffer().put(frame, tile * side * side, side * side);
            slices.writeTile(Box.of(origin, new long[] {side, side}), pixels);
        }
    }

    private static String stream(ZarrArray array, SliceOptions options, short[][] frames, int count, int tiles) {
        StringBuilder times = new StringBuilder();
        long cpu = processorNanos();
        long start = System.nanoTime();
        try (SliceWriter slices = array.slices(0, options)) {
            for (int i = 0; i < count; i++) {
                long begun = System.nanoTime();
                if (tiles == 1) {
                    slices.write(frames[i % frames.length], 0, 1);
                } else {
                    writeTiles(slices, frames[i % frames.length], tiles);
                }
                times.append(' ').append(System.nanoTime() - begun);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return seconds + " " + (processorNanos() - cpu) / 1e9 + times;
    }

    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
