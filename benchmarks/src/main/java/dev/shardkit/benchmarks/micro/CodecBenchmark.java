package dev.shardkit.benchmarks.micro;

import dev.shardkit.ArraySpec;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
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

/** Measures how long a codec chain takes to encode and decode one inner chunk of 64 KiB, from and to a Java array. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CodecBenchmark {
    /** The chain: {@code bytes}, and the codec after it. */
    @Param({"bytes", "zstd", "gzip", "blosc-lz4", "blosc-zstd"})
    public String codec = "";

    private final Scratch scratch = new Scratch();
    private final short[] decoded = new short[BenchmarkData.EDGE * BenchmarkData.EDGE * BenchmarkData.EDGE];
    private ChunkCodec chain;
    private Bytes encoded;
    private Box box;
    private Target target;
    private Feed feed;

    /** Binds the chain, and encodes the chunk that {@link #decode} decodes. */
    @Setup
    public void encodeOnce() {
        chain = BenchmarkData.bind(ArraySpec.of("uint16", BenchmarkData.EDGE, BenchmarkData.EDGE, BenchmarkData.EDGE)
                .withChunkShape(BenchmarkData.EDGE, BenchmarkData.EDGE, BenchmarkData.EDGE)
                .withCodecs(BenchmarkData.codecs(codec)));
        ChunkType type = chain.type();
        box = type.box();
        target = JavaArrayAdapters.target(type.dataType(), type.shape(), decoded, 0);
        feed = JavaArrayAdapters.feed(type.dataType(), type.shape(), BenchmarkData.field(BenchmarkData.EDGE), 0);
        encoded = encode().copy();
    }

    /** Decodes the inner chunk into a Java array. */
    @Benchmark
    public short[] decode() {
        int mark = scratch.mark();
        chain.decode(encoded, box, target, scratch);
        scratch.reset(mark);
        return decoded;
    }

    /** Encodes the inner chunk. */
    @Benchmark
    public Bytes encode() {
        int mark = scratch.mark();
        Bytes bytes = chain.encode(feed, ShardWritePolicy.defaults(), scratch).orElseThrow();
        scratch.reset(mark);
        return bytes;
    }
}
