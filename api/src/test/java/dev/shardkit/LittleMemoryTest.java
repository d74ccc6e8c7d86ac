package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Child;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What has to work with little memory, tried in a JVM that has no more. */
@Timeout(180)
class LittleMemoryTest {
    private static final int CHUNK = 1 << 16;
    private static final long COUNT = 1L << 32;
    private static final int MARKED = 65_000;
    private static final int MANY = Rounds.areMany() ? 1_000_000 : 300_000;
    private static final String MEMORY_FOR_MANY = Rounds.areMany() ? "64m" : "32m";
    private static final int HANDLES = Rounds.areMany() ? 1000 : 400;
    private static final String MEMORY_FOR_HANDLES = Rounds.areMany() ? "64m" : "32m";
    private static final int WRITTEN_SHARD = 4 << 20;

    @TempDir
    Path dir;

    /** What the other JVM does. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] args) {
            switch (args[0]) {
                case "shard" -> {
                    ZarrArray array = Zarr.openArray(args[1]);
                    long first = (long) MARKED * CHUNK;
                    byte[] read = array.read(Values.range(first - 1, first + CHUNK + 1))
                            .bytes();
                    System.out.println(read[0] + " " + read[1] + " " + read[CHUNK] + " " + read[CHUNK + 1]);
                    array.write(Values.range(COUNT, COUNT), new byte[0], 0);
                }
                case "handles" -> {
                    List<ZarrArray> open = new ArrayList<>();
                    for (int i = 0; i < HANDLES; i++) {
                        ZarrArray array =
                                Zarr.openArray(Path.of(args[1], "a" + i).toString());
                        array.read();
                        open.add(array);
                    }
                    System.out.println(
                            open.stream().mapToLong(a -> sum(a.read().bytes())).sum());
                    open.forEach(ZarrArray::close);
                }
                case "writes" -> {
                    ZarrArray array = Zarr.openArray(args[1]);
                    byte[] shard = new byte[WRITTEN_SHARD];
                    new Random(1).nextBytes(shard);
                    List<CompletableFuture<?>> writes = new ArrayList<>();
                    for (long from = 0; from < array.shape()[0]; from += WRITTEN_SHARD) {
                        writes.add(array.writeAsync(
                                Values.range(from, from + WRITTEN_SHARD),
                                NdArray.of(array.dataType(), new long[] {WRITTEN_SHARD}, shard)));
                    }
                    writes.forEach(CompletableFuture::join);
                    byte[] read = array.read(Values.range(31L * WRITTEN_SHARD, 32L * WRITTEN_SHARD))
                            .bytes();
                    System.out.println(Arrays.equals(shard, read));
                }
                default -> {
                    fill(ArraySpec.of("int8", MANY).withChunkShape(1));
                    fill(ArraySpec.of("int8", MANY).withChunkShape(1).withShardShape(1000));
                    ArraySpec spec =
                            ArraySpec.of("int8", MANY).withChunkShape(1).withShardShape(MANY);
                    ZarrArray array = create(spec);
                    array.write(Values.range(MANY - 1, MANY), new byte[] {1}, 0);
                    System.out.println(sum(array.read().bytes()));
                }
            }
        }

        private static ZarrArray create(ArraySpec spec) {
            return Zarr.createArray(
                    MemoryStore.create(), "a", spec.withFillValue(3), IfExists.REFUSE, ZarrOptions.defaults());
        }

        private static void fill(ArraySpec spec) {
            System.out.println(sum(create(spec).read().bytes()));
        }

        private static long sum(byte[] bytes) {
            long sum = 0;
            for (byte b : bytes) {
                sum += b;
            }
            return sum;
        }
    }

    private static void assertSays(String memory, String expected, String... arguments) {
        try (Child reader = Child.start(Reader.class, memory, arguments)) {
            reader.expect(expected);
            assertEquals(Optional.empty(), reader.line());
        }
    }

    @Test
    void innerChunk_ofAShardPastFourGigabytes_isReadByItself() throws IOException {
        Path folder = dir.resolve("a");
        ArraySpec spec = ArraySpec.of("int8", COUNT)
                .withChunkShape(CHUNK)
                .withShardShape(COUNT)
                .withCodecs(Codecs.named("bytes", Json.object()));
        ZarrArray array = Zarr.createArray(folder.toString(), spec);
        Path shard = folder.resolve(array.storage().key(Values.at(0)));
        Files.createDirectories(shard.getParent());
        int chunks = (int) (COUNT / CHUNK);
        long shift = 1L << 20; // nothing, then the inner chunks: the last ones begin past 2^32
        ByteBuffer index = ByteBuffer.allocate(16 * chunks + 4).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < chunks; i++) {
            index.putLong(shift + i * CHUNK).putLong(CHUNK);
        }
        CRC32C sum = new CRC32C();
        sum.update(index.array(), 0, 16 * chunks);
        index.putInt((int) sum.getValue()).flip();
        byte[] marked = new byte[CHUNK];
        Arrays.fill(marked, (byte) 7);
        marked[CHUNK - 1] = 9;
        try (FileChannel file = FileChannel.open(
                shard, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(marked), shift + (long) MARKED * CHUNK);
            file.write(index, shift + COUNT);
        }
        assertSays("64m", "0 7 9 0", "shard", folder.toString());
    }

    @Test
    void manyArrays_areOpenAtOnce() throws IOException {
        Path one = dir.resolve("one");
        ZarrArray array = Zarr.createArray(
                one.toString(),
                ArraySpec.of("int8", 64, 64).withChunkShape(8, 8).withShardShape(32, 32));
        byte[] values = new byte[64 * 64];
        Arrays.fill(values, (byte) 3);
        array.write(array.domain(), values, 0);
        array.close();
        List<Path> files;
        try (Stream<Path> all = Files.walk(one)) {
            files = all.filter(f -> !f.toString().contains("__shardkit")).toList();
        }
        for (int i = 0; i < HANDLES; i++) {
            for (Path f : files) {
                Files.copy(
                        f,
                        dir.resolve("a" + i)
                                .resolve(one.relativize(f).toString().replace('\\', '/')));
            }
        }
        assertSays(MEMORY_FOR_HANDLES, Long.toString(3L * values.length * HANDLES), "handles", dir.toString());
    }

    @Test
    void manyShards_areWrittenAtOnce() {
        String folder = dir.resolve("a").toString();
        Zarr.createArray(
                        folder,
                        ArraySpec.of("uint8", 32L * WRITTEN_SHARD)
                                .withChunkShape(CHUNK)
                                .withShardShape(WRITTEN_SHARD)
                                .withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(1)),
                        IfExists.REFUSE,
                        ZarrOptions.defaults())
                .close();
        assertSays("64m", "true", "writes", folder);
    }

    @Test
    void manyInnerChunks_thatAreNotThere_areFill() {
        try (Child reader = Child.start(Reader.class, MEMORY_FOR_MANY, "many")) {
            reader.expect(Long.toString(3L * MANY)); // chunks
            reader.expect(Long.toString(3L * MANY)); // in shards
            reader.expect(Long.toString(3L * MANY - 2)); // in one shard
        }
    }
}
