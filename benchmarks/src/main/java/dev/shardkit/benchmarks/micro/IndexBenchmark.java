package dev.shardkit.benchmarks.micro;

import dev.shardkit.ArraySpec;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
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

/** Measures how long decoding and checking the whole index of a shard takes. The shard is in memory. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class IndexBenchmark {
    /** The number of inner chunks of the shard. */
    @Param({"64", "512", "4096", "65536"})
    public int entries;

    private final Scratch scratch = new Scratch();
    private ShardAccess shard;
    private Source source;

    /** Encodes a shard whose inner chunks have one byte each. */
    @Setup
    public void makeShard() {
        ChunkCodec codec = BenchmarkData.bind(ArraySpec.of("uint8", entries)
                .withShardShape(entries)
                .withChunkShape(1)
                .withCodecs(BenchmarkData.codecs("bytes")));
        ChunkType type = codec.type();
        byte[] values = new byte[entries];
        Arrays.fill(values, (byte) 1);
        Bytes bytes = codec.encode(
                        JavaArrayAdapters.feed(type.dataType(), type.shape(), values, 0),
                        ShardWritePolicy.defaults(),
                        scratch)
                .orElseThrow();
        shard = codec.shardAccess().orElseThrow();
        source = Source.of(bytes, DataLocation.of("c/0"));
    }

    /** Decodes the index and checks every entry. */
    @Benchmark
    public ShardAccess.Layout decode() {
        return PlanRun.run(shard.layout(source), scratch, request -> {
                    throw new IllegalStateException("bytes in memory need no request");
                })
                .orElseThrow();
    }
}
