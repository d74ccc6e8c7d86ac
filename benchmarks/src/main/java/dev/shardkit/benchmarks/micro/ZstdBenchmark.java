package dev.shardkit.benchmarks.micro;

import dev.shardkit.codec.zstd.encoder.ZstdEncoder;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.spi.bytes.HeapBytes;
import io.airlift.compress.zstd.ZstdCompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
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

/** Compares shardkit's zstd encoder with that of aircompressor, on parts of a smooth field with noise. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ZstdBenchmark {
    /** The number of bytes of each frame. */
    @Param({"256", "65536"})
    public int size;

    /** The compression level of shardkit's encoder. */
    @Param({"1", "3", "6"})
    public int level;

    private byte[] bytes = {};
    private byte[] out = {};
    private ZstdEncoder encoder;

    /** Takes the bytes to encode from the start of the field. */
    @Setup
    public void take() {
        short[] field = BenchmarkData.field(BenchmarkData.EDGE);
        ByteBuffer all = ByteBuffer.allocate(2 * field.length).order(ByteOrder.LITTLE_ENDIAN);
        all.asShortBuffer().put(field);
        bytes = Arrays.copyOf(all.array(), size);
        out = new byte[2 * (int) ZstdEncoder.maxEncodedSize(size)];
        encoder = ZstdEncoder.ofLevel(level);
    }

    /** Encodes the bytes and returns the size of the frame. */
    @Benchmark
    public int shardkit() {
        return encoder.encode(new HeapBytes(bytes, 0, size), Trailer.NOTHING, out, 0);
    }

    /** Encodes the bytes with aircompressor, which has only one level. */
    @Benchmark
    public int aircompressor() {
        return new ZstdCompressor().compress(bytes, 0, size, out, 0, out.length);
    }
}
