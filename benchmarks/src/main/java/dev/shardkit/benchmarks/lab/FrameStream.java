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
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Streams frames of uint16 into new arrays, as a camera does, and prints the time of each write. An array is either
 * plain or level 0 of an image with a pyramid of means.
 *
 * <pre>FrameStream FRAMES FOLDER CODEC STRATEGY BUDGET EDGE SHARD_DEPTH CHUNK_DEPTH CHUNK_EDGE COUNT TILES ARRAYS
 *     PYRAMID RATE
 *
 * FRAMES       the file with the frames, without header; they are sent again and again
 * FOLDER       the folder of the arrays
 * CODEC        raw, lz4 or zstd
 * STRATEGY     a constant of SliceStrategy
 * BUDGET       the memory budget of a stream in MiB
 * EDGE         the edge length of a frame
 * SHARD_DEPTH  the number of frames in a shard
 * CHUNK_DEPTH  the number of frames in an inner chunk
 * CHUNK_EDGE   the edge length of an inner chunk
 * COUNT        the number of frames to write into each array
 * TILES        the number of tiles along each edge in which a frame is written; 1: frames are written whole
 * ARRAYS       the number of arrays, written one after the other
 * PYRAMID      true: each array is an image with a pyramid; false: it is plain
 * RATE         the frames that the camera sends in a second; 0: the next frame comes when the last one is written</pre>
 *
 * <p>Prints a line for each array: the elapsed seconds of the whole stream; its CPU seconds; the number of late frames,
 * whose write began more than one frame period after the camera sent them; the longest delay in nanoseconds; and the
 * nanoseconds of each write.
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
        boolean hasPyramid = Boolean.parseBoolean(args[12]);
        long period = args[13].equals("0") ? 0 : 1_000_000_000L / Long.parseLong(args[13]);
        ZarrOptions zarr = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
        for (int stream = 0; stream < Integer.parseInt(args[11]); stream++) {
            String location = Path.of(args[1]).resolve(Integer.toString(stream)).toString();
            if (hasPyramid) {
                System.out.println(pyramid(location, spec, codecs(args[2]), zarr, options, frames, count, period));
                continue;
            }
            short[][] parts = tiles == 1 ? frames : tiled(frames, edge, tiles);
            try (ZarrArray array = Zarr.createArray(location, spec, IfExists.REFUSE, zarr)) {
                System.out.println(measure(
                        () -> array.slices(0, options),
                        (slices, i) -> {
                            if (tiles == 1) {
                                slices.write(parts[i % parts.length], 0, 1);
                            } else {
                                writeTiles(slices, parts[i % parts.length], tiles);
                            }
                        },
                        count,
                        period));
            }
        }
    }

    /** Streams frames from direct buffers, as camera drivers provide them, into all levels of an image. */
    private static String pyramid(
            String location,
            ArraySpec spec,
            Json[] codecs,
            ZarrOptions zarr,
            SliceOptions options,
            short[][] frames,
            int count,
            long period)
            throws IOException {
        ByteBuffer[] buffers = new ByteBuffer[frames.length];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] =
                    ByteBuffer.allocateDirect(frames[i].length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            buffers[i].asShortBuffer().put(frames[i]);
        }
        Zarr.createGroup(location, Json.object(), IfExists.REFUSE, zarr).close();
        FileStore store = FileStore.at(Path.of(location));
        ZarrArray finest = Zarr.createArray(store, "0", spec.withDimensionNames("t", "y", "x"), IfExists.REFUSE, zarr);
        return measure(
                () -> Pyramid.of(finest).withReducer(Reducer.MEAN).withCodecs(codecs).stream(store, zarr, options),
                (slices, i) -> slices.write(buffers[i % buffers.length]),
                count,
                period);
    }

    private static Json[] codecs(String name) {
        return name.equals("raw")
                ? new Json[] {Codecs.bytesLittleEndian()}
                : new Json[] {Codecs.bytesLittleEndian(), Codecs.blosc(name, 1, Short.BYTES)};
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

    /**
     * Reorders the pixels of each frame so that tiles follow one another, as cameras with several sensors send them.
     */
    private static short[][] tiled(short[][] frames, int edge, int tiles) {
        int side = edge / tiles;
        short[][] tiled = new short[frames.length][edge * edge];
        for (int f = 0; f < frames.length; f++) {
            for (int i = 0; i < edge * edge; i++) {
                int row = i / edge;
                int column = i % edge;
                int tile = row / side * tiles + column / side;
                tiled[f][tile * side * side + row % side * side + column % side] = frames[f][i];
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

    /** Writes a frame. */
    private interface FrameWrite<S> {
        void write(S stream, int frame);
    }

    /** Writes frames at the rate of the camera, and returns the line to print. */
    private static <S extends AutoCloseable> String measure(
            Supplier<S> open, FrameWrite<S> write, int count, long period) throws IOException {
        StringBuilder times = new StringBuilder();
        long lateFrames = 0;
        long longestDelay = 0;
        long cpu = processorNanos();
        long start = System.nanoTime();
        try (S stream = open.get()) {
            long first = System.nanoTime(); // the camera sends its first frame when the stream is open
            for (int i = 0; i < count; i++) {
                long due = first + i * period;
                while (period > 0 && System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                long begun = System.nanoTime();
                write.write(stream, i);
                times.append(' ').append(System.nanoTime() - begun);
                lateFrames += period > 0 && begun - due > period ? 1 : 0;
                longestDelay = period > 0 ? Math.max(longestDelay, begun - due) : 0;
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return seconds + " " + (processorNanos() - cpu) / 1e9 + " " + lateFrames + " " + longestDelay + times;
    }

    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
