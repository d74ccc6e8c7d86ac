package dev.shardkit.benchmarks.micro;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.util.Random;

/**
 * The data and the codecs that the microbenchmarks share. The elements are smooth fields with four bits of noise, like
 * the data of the lab, because they compress like images.
 */
final class BenchmarkData {
    /** The edge length of an inner chunk: 32^3 elements of uint16 are 64 KiB. */
    static final int EDGE = 32;

    private BenchmarkData() {}

    /** Returns a smooth field with noise, a cube of {@code edge}^3 elements in C order. */
    static short[] field(int edge) {
        Random random = new Random(7);
        short[] values = new short[edge * edge * edge];
        for (int i = 0; i < values.length; i++) {
            double z = i / (edge * edge) / 9.0;
            double y = i / edge % edge / 7.0;
            double x = i % edge / 11.0;
            values[i] = (short) (600 + 400 * Math.sin(z + y) * Math.cos(x) + random.nextInt(16));
        }
        return values;
    }

    /** Returns the codecs after {@code bytes} for a value of the benchmarks' parameter {@code codec}. */
    static Json[] codecs(String name) {
        return switch (name) {
            case "bytes" -> new Json[0];
            case "zstd" -> new Json[] {Codecs.zstd(3)};
            case "gzip" -> new Json[] {Codecs.gzip(5)};
            case "blosc-lz4" -> new Json[] {Codecs.blosc("lz4", 5, Short.BYTES)};
            case "blosc-zstd" -> new Json[] {Codecs.blosc("zstd", 5, Short.BYTES)};
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Returns the codec chain of an array with one chunk or one shard, bound to the shape of that chunk. */
    static ChunkCodec bind(ArraySpec spec) {
        ArrayMetadata metadata = Zarr.describe(spec, ZarrOptions.defaults());
        return metadata.codecs().bind(metadata.chunkType(new long[metadata.rank()]), Limits.defaults());
    }

    /** Returns the codec from bytes to bytes that a JSON object configures, such as crc32c, outside of any chain. */
    static BytesToBytesCodec filter(Json json) {
        return (BytesToBytesCodec) Registry.load().codec(json, "");
    }
}
