package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.disk.Disk;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one update may cost: memory, and bytes that really go to the file system. */
@Timeout(180)
class LimitsTest {
    private static final int CHUNK = 1 << 16;
    private static final int MARKED = 9_000;
    private static final int CHECKSUM = 4;
    /** The head of a journal, and who holds the lock. */
    private static final int BOOKKEEPING = 1024;

    private static final String OURS = "__shardkit/";

    @TempDir
    Path dir;

    /** Updates one inner chunk of a shard in a JVM with little memory; says by which strategy, and how many bytes. */
    static final class Updater {
        private Updater() {}

        public static void main(String[] args) {
            StringBuilder said = new StringBuilder();
            StoreListener listener = new StoreListener() {
                @Override
                public void onWrite(String key, Strategy strategy, long bytes) {
                    said.append(strategy);
                }
            };
            // Forcing a gibibyte is slow.
            Durability durability = args[0].equals("REWRITE") ? Durability.ATOMIC : Durability.FORCED;
            ZarrOptions options = ZarrOptions.defaults()
                    .withDurability(durability)
                    .withListener(listener)
                    .withWritePolicy(ShardWritePolicy.defaults().withStrategy(Strategy.valueOf(args[0])));
            try (ZarrArray array = Zarr.openArray(args[1], options)) {
                byte[] values = new byte[CHUNK];
                Arrays.fill(values, (byte) 5);
                array.write(region(MARKED), values, 0);
                byte[] read = array.read(Box.of(new long[] {region(MARKED).origin(0) - 1}, new long[] {CHUNK + 2}))
                        .bytes();
                System.out.println(said + " " + read[0] + " " + read[1] + " " + read[CHUNK] + " " + read[CHUNK + 1]);
            }
        }
    }

    private static Box region(long chunk) {
        return Box.of(new long[] {chunk * CHUNK}, new long[] {CHUNK});
    }

    private static ArraySpec spec(long size, IndexLocation location) {
        return ArraySpec.of("int8", size)
                .withChunkShape(CHUNK)
                .withShardShape(size)
                .withIndexLocation(location)
                .withCodecs(Codecs.named("bytes", Json.object()));
    }

    /** A shard of zeros, one inner chunk behind the other, its index at the end; the file is a hole but for that. */
    private static void sparse(Path shard, long size) throws IOException {
        Files.createDirectories(shard.getParent());
        int chunks = (int) (size / CHUNK);
        ByteBuffer index = ByteBuffer.allocate(16 * chunks + CHECKSUM).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < chunks; i++) {
            index.putLong(i * CHUNK).putLong(CHUNK);
        }
        CRC32C sum = new CRC32C();
        sum.update(index.array(), 0, 16 * chunks);
        index.putInt((int) sum.getValue()).flip();
        try (FileChannel file = FileChannel.open(
                shard, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            file.write(index, size);
        }
    }

    private void assertUpdated(Strategy strategy) throws IOException {
        long size = 1L << 30;
        Path folder = dir.resolve(strategy.name());
        Zarr.createArray(folder.toString(), spec(size, IndexLocation.END)).close();
        sparse(folder.resolve("c/0"), size);
        try (Child updater = Child.start(Updater.class, "64m", strategy.name(), folder.toString())) {
            updater.expect(strategy + " 0 5 5 0");
            assertEquals(Optional.empty(), updater.line());
        }
        Files.delete(folder.resolve("c/0"));
    }

    @Test
    void innerChunkOfAGibibyteShard_isWrittenInPlace_with64MiBOfMemory() throws IOException {
        assertUpdated(Strategy.IN_PLACE);
    }

    @Test
    void innerChunkOfAGibibyteShard_isAppended_with64MiBOfMemory() throws IOException {
        assertUpdated(Strategy.APPEND);
    }

    @Test
    @Tag("long")
    void gibibyteShard_isRewrittenForOneInnerChunk_with64MiBOfMemory() throws IOException {
        assertUpdated(Strategy.REWRITE);
    }

    /** What one update of a 64 KiB inner chunk of a 64 MiB shard writes into files. */
    private Disk update(Strategy strategy, IndexLocation location) {
        long size = 64L << 20;
        Path root = dir.resolve(strategy + "-" + location);
        Disk disk = new Disk();
        ZarrOptions options = ZarrOptions.defaults()
                .withWritePolicy(ShardWritePolicy.defaults().withStrategy(strategy))
                .withParallelism(1);
        byte[] values = new byte[(int) size];
        Arrays.fill(values, (byte) 1);
        Zarr.createArray(FileStore.at(root), "a", spec(size, location), IfExists.REFUSE, options)
                .write(Box.of(new long[] {size}), values, 0);
        ZarrArray array = Zarr.openArray(FileStore.at(disk.path(root)), "a", options);
        byte[] other = new byte[CHUNK];
        Arrays.fill(other, (byte) 3);
        array.write(region(700), other, 0); // what a store tries out once is tried out
        Arrays.fill(other, (byte) 2);
        disk.heal();
        array.write(region(701), other, 0);
        System.out.println("bytes: " + strategy + ", index at the " + location + ": " + shard(disk) + ", beside it "
                + disk.written(OURS) + ", for an inner chunk of " + CHUNK);
        assertEquals(2, array.read(region(701)).bytes()[CHUNK - 1]);
        assertEquals(1, array.read(region(702)).bytes()[0]);
        return disk;
    }

    private static long shard(Disk disk) {
        return disk.written("/a/c/") - disk.written("/a/c/" + OURS);
    }

    /** The shard gets the inner chunk and its index at most; beside it a journal of what is overwritten. */
    private void assertLittle(Strategy strategy, IndexLocation location, long shard, long overwritten) {
        Disk disk = update(strategy, location);
        long written = shard(disk);
        assertTrue(written >= CHUNK && written <= shard, strategy + " " + location + ": " + written + " bytes");
        long beside = disk.written(OURS);
        assertTrue(
                beside >= overwritten && beside <= overwritten + BOOKKEEPING, strategy + ": " + beside + " beside it");
    }

    @Test
    void update_ofA64KiBInnerChunk_writesLittle() {
        long index = 16 * 1024 + CHECKSUM;
        assertLittle(Strategy.IN_PLACE, IndexLocation.START, CHUNK, CHUNK);
        assertLittle(Strategy.IN_PLACE, IndexLocation.END, CHUNK, CHUNK);
        assertLittle(Strategy.APPEND, IndexLocation.START, CHUNK + index, index);
        assertLittle(Strategy.APPEND, IndexLocation.END, CHUNK + index, 0);
        assertTrue(update(Strategy.REWRITE, IndexLocation.END).written("") > 64L << 20, "the disk counts");
    }
}
