package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program overwrites a shard with another of its size and sets its time back, as {@code rsync --inplace -t} does. */
class TimeSetBackTest {
    private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir
    Path dir;

    private ZarrArray create(String name) {
        ArraySpec spec =
                ArraySpec.of("int32", 8).withChunkShape(2).withShardShape(8).withCodecs();
        return Zarr.createArray(dir.resolve(name).toString(), spec);
    }

    private static int[] values(int first) {
        int[] values = new int[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = first + i;
        }
        return values;
    }

    @Test
    void read_ofAShardWhoseTimeIsSetBack_givesItsNewValues() throws Exception {
        assumeTrue(dir.getFileSystem().supportedFileAttributeViews().contains("unix"), "no change times");
        create("one").write(Box.of(new long[1], new long[] {8}), values(1), 0);
        ZarrArray two = create("two")
                .with(o ->
                        o.withWritePolicy(ShardWritePolicy.defaults().withOrder(ShardWritePolicy.Order.AS_THEY_COME)));
        for (int i = 3; i >= 0; i--) {
            two.write(Box.of(new long[] {2L * i}, new long[] {2}), new int[] {100 + 2 * i, 101 + 2 * i}, 0);
        }
        Path shard = dir.resolve("one/c/0");
        Files.setLastModifiedTime(shard, TIME);
        ZarrArray array = Zarr.openArray(dir.resolve("one").toString());
        assertArrayEquals(values(1), array.read().ints());
        Files.write(shard, Files.readAllBytes(dir.resolve("two/c/0")), StandardOpenOption.TRUNCATE_EXISTING);
        Files.setLastModifiedTime(shard, TIME);
        assertArrayEquals(values(100), array.read().ints(), "the index that was kept is of another version");
    }
}
