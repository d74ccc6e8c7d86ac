package dev.shardkit.benchmarks.micro;

import dev.shardkit.Codecs;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
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

/** Measures single codecs from bytes to bytes on 64 KiB: the byte shuffle of 2, 4 and 8 bytes, and crc32c. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FilterBenchmark {
    /** The codec; the number after {@code shuffle} is the element size. */
    @Param({"shuffle-2", "shuffle-4", "shuffle-8", "crc32c"})
    public String codec = "";

    private final Scratch scratch = new Scratch();
    private BytesToBytesCodec filter;
    private Bytes decoded;
    private Bytes encoded;
    private DecodedSize size;

    /** Creates the codec, and encodes the bytes that {@link #decode} decodes. */
    @Setup
    public void encodeOnce() {
        filter = BenchmarkData.filter(
                codec.equals("crc32c")
                        ? Codecs.crc32c()
                        : Codecs.named(
                                "numcodecs.shuffle",
                                Json.object()
                                        .with(
                                                "elementsize",
                                                Json.of(Integer.parseInt(codec.substring("shuffle-".length()))))));
        short[] field = BenchmarkData.field(BenchmarkData.EDGE);
        ByteBuffer bytes = ByteBuffer.allocate(field.length * Short.BYTES);
        bytes.asShortBuffer().put(field);
        decoded = Bytes.of(bytes);
        encoded = filter.encode(decoded, scratch).copy();
        size = DecodedSize.exactly(decoded.size());
    }

    /** Decodes the 64 KiB. */
    @Benchmark
    public Bytes decode() {
        int mark = scratch.mark();
        Bytes bytes = filter.decode(encoded, size, scratch);
        scratch.reset(mark);
        return bytes;
    }

    /** Encodes the 64 KiB. */
    @Benchmark
    public Bytes encode() {
        int mark = scratch.mark();
        Bytes bytes = filter.encode(decoded, scratch);
        scratch.reset(mark);
        return bytes;
    }
}
