package dev.shardkit.benchmarks.micro;

import dev.shardkit.ArraySpec;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures how long it takes to copy the rows of one decoded inner chunk of 32^3 uint16 into a Java array of 128^3. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ScatterBenchmark {
    /** The edge length of the Java array. */
    private static final int WHOLE = 4 * BenchmarkData.EDGE;

    /** The byte order of the decoded elements. */
    @Param({"LITTLE_ENDIAN", "BIG_ENDIAN"})
    public String order = "";

    private final short[] array = new short[WHOLE * WHOLE * WHOLE];
    private Elements elements;
    private Target window;
    private Box box;

    /** Creates the inner chunk, and the window of the Java array that it is copied into. */
    @Setup
    public void decodeOnce() {
        ChunkType type = BenchmarkData.bind(
                        ArraySpec.of("uint16", BenchmarkData.EDGE, BenchmarkData.EDGE, BenchmarkData.EDGE)
                                .withChunkShape(BenchmarkData.EDGE, BenchmarkData.EDGE, BenchmarkData.EDGE))
                .type();
        ByteBuffer bytes =
                ByteBuffer.allocate(BenchmarkData.EDGE * BenchmarkData.EDGE * BenchmarkData.EDGE * Short.BYTES);
        ByteOrder byteOrder = order.equals("LITTLE_ENDIAN") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        bytes.order(byteOrder).asShortBuffer().put(BenchmarkData.field(BenchmarkData.EDGE));
        elements = Elements.Fixed.of(type.dataType(), bytes, byteOrder);
        box = type.box();
        long[] whole = {WHOLE, WHOLE, WHOLE};
        window = JavaArrayAdapters.target(type.dataType(), whole, array, 0)
                .window(Box.of(
                        new long[] {BenchmarkData.EDGE, BenchmarkData.EDGE, 2 * BenchmarkData.EDGE}, type.shape()));
    }

    /** Copies every row to its position. */
    @Benchmark
    public short[] scatter() {
        window.put(elements, 0, new long[] {BenchmarkData.EDGE * BenchmarkData.EDGE, BenchmarkData.EDGE, 1}, box);
        return array;
    }
}
