package org.example;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** A user's program with one dependency, the artifact {@code shardkit}: writes and reads arrays with several codecs. */
public final class Main {
    private Main() {}

    /** Writes sharded arrays and reads parts of them. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("consumer");
        ArraySpec spec = ArraySpec.of("int32", 100, 100).withChunkShape(10, 10).withShardShape(50, 50);
        int[] values = IntStream.range(0, 10_000).toArray();
        int count = 0;
        for (ArraySpec arraySpec : new ArraySpec[] {
            spec,
            spec.withCodecs(Codecs.gzip(5), Codecs.crc32c()),
            spec.withCodecs(Codecs.transpose(1, 0), Codecs.blosc("lz4", 5, 4))
        }) {
            String location = folder.resolve("array" + count++).toString();
            try (ZarrArray array = Zarr.createArray(location, arraySpec)) {
                array.write(array.domain(), values, 0);
            }
            try (ZarrArray array = Zarr.openArray(location)) {
                int found = array.readAsync(Box.of(new long[] {42, 17}, new long[] {1, 1}))
                        .get()
                        .ints()[0];
                if (found != 4217) {
                    throw new IllegalStateException("expected 4217, found " + found);
                }
            }
        }
        System.out.println(count + " arrays written and read");
    }
}
