package dev.shardkit.cli;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;

/** Arrays and trees to run commands on. */
public final class Nodes {
    private Nodes() {}

    /** int32 [6, 8] in shards [4, 4] of inner chunks [2, 2], fill value -1; element (y, x) is 10 y + x. */
    static ArraySpec numbersSpec() {
        return ArraySpec.of("int32", 6, 8)
                .withChunkShape(2, 2)
                .withShardShape(4, 4)
                .withCodecs(Codecs.zstd(3))
                .withFillValue(-1)
                .withDimensionNames("y", "x")
                .withAttributes(Json.object().with("unit", Json.of("m")));
    }

    public static int[] numbers() {
        int[] values = new int[48];
        for (int i = 0; i < values.length; i++) {
            values[i] = 10 * (i / 8) + i % 8;
        }
        return values;
    }

    public static String numbers(Path path) {
        try (ZarrArray array = Zarr.createArray(path.toString(), numbersSpec())) {
            array.write(array.domain(), numbers(), 0);
        }
        return path.toString();
    }

    /**
     * One shard [0, 0] of the same with the inner chunks (0, 1) and (1, 0) of it stored; all other shards are missing.
     */
    public static String sparse(Path path) {
        try (ZarrArray array = Zarr.createArray(path.toString(), numbersSpec())) {
            array.write(Box.of(new long[] {0, 2}, new long[] {2, 2}), new int[] {1, 2, 3, 4}, 0);
            array.write(Box.of(new long[] {2, 0}, new long[] {1, 1}), new int[] {5}, 0);
        }
        return path.toString();
    }

    /** A group with an array {@code top}, a group {@code deep} with an array {@code a/b} in it, and an empty group. */
    public static String tree(Path path) {
        try (ZarrGroup root = Zarr.createGroup(
                path.toString(),
                Json.object().with("version", new Json.Num("1.10")),
                IfExists.REFUSE,
                ZarrOptions.defaults())) {
            ZarrArray top = root.createArray("top", numbersSpec(), IfExists.REFUSE);
            top.write(top.domain(), numbers(), 0);
            ZarrArray deep =
                    root.createArray("deep/a/b", ArraySpec.of("string", 3).withChunkShape(2), IfExists.REFUSE);
            deep.write(deep.domain(), new String[] {"x", "", "é\n"}, 0);
            root.createGroup("empty", Json.object(), IfExists.REFUSE);
        }
        return path.toString();
    }
}
