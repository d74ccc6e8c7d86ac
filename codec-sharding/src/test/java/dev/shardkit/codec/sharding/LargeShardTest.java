package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.chain;
import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.codec.crc32c.Crc32cCodec;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards larger than memory, and shards of a great many inner chunks. */
@Tag("one-jdk")
class LargeShardTest {
    private static final long GIB = 1L << 30;

    @TempDir
    Path folder;

    /** A file that is read where it is asked for. */
    private static final class SparseFile implements AutoCloseable {
        private final RandomAccessFile file;
        private long bytes;

        SparseFile(Path path) throws IOException {
            this.file = new RandomAccessFile(Files.createFile(path).toFile(), "rw");
        }

        void write(long at, byte[] content) throws IOException {
            file.seek(at);
            file.write(content);
        }

        <T> T run(Plan<T> plan) {
            try (Scratch scratch = new Scratch()) {
                return PlanRun.run(plan, scratch, this::answer);
            }
        }

        private ReadResult answer(ReadRequest<?> request) {
            try {
                long size = file.length();
                ByteRange.Slice slice = request.range() instanceof ByteRange.Suffix s
                        ? new ByteRange.Slice(size - s.length(), s.length())
                        : (ByteRange.Slice) request.range();
                byte[] content = new byte[Math.toIntExact(slice.length())];
                file.seek(slice.offset());
                file.readFully(content);
                bytes += slice.length();
                return new ReadResult.Found(Bytes.of(content), size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Test
    void shardPastFourGiB_isRead_described_andUpdated_withoutHoldingIt() throws IOException {
        ChunkCodec nested = ShardingCodec.of(
                        shape(8),
                        chain(ShardingCodec.of(
                                shape(2), chain(Codecs.LITTLE), chain(Codecs.LITTLE), IndexLocation.END)),
                        chain(Codecs.LITTLE),
                        IndexLocation.END)
                .bind(Model.type(7, 16), Limits.defaults());
        long outer = 6 * GIB;
        try (SparseFile file = new SparseFile(folder.resolve("c"))) {
            // an inner shard of 5 GiB from 1 GiB on: its second inner chunk lies 4.5 GiB into it, its index at its end
            file.write(GIB, new Shards().ints(1, 2).done());
            file.write(5 * GIB + GIB / 2, new Shards().ints(3, 4).done());
            byte[] innerIndex =
                    new Shards().index(0, 8, 9 * GIB / 2, 8, -1, -1, -1, -1).done();
            file.write(outer - innerIndex.length, innerIndex);
            file.write(outer, new Shards().index(-1, -1, GIB, 5 * GIB).done());

            Source source = Source.stored("c");
            Model.Output out = Model.output(16);
            file.run(nested.decodeInto(source, Box.of(shape(16)), out.target()));
            assertEquals("[7, 7, 7, 7, 7, 7, 7, 7, 1, 2, 3, 4, 7, 7, 7, 7]", Arrays.toString(out.model().data));
            assertEquals(32 + 64 + 8 + 8, file.bytes);

            ShardAccess.Layout layout =
                    file.run(nested.shardAccess().orElseThrow().layout(source)).orElseThrow();
            assertEquals(outer + 32, layout.shardSize());
            assertEquals(new ShardAccess.Extent(GIB, 5 * GIB), layout.extent(1).orElseThrow());
            assertEquals(new ShardAccess.Extent(outer, 32), layout.index());

            ShardWritePolicy inPlace = ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.IN_PLACE);
            Edit patch = file.run(nested.update(
                    source, Box.of(shape(11), shape(1)), Model.filled(9, 1).feed(), inPlace));
            Edit.Write write = ((Edit.Patch) patch).overwritten().get(0);
            assertEquals(5 * GIB + GIB / 2, write.offset());
            assertEquals(8, write.bytes().size());
            assertMovesWhatIsLarge(nested, file);
        }
    }

    /** A new inner chunk before the inner shard, and one in it: nothing is read but indexes. */
    private static void assertMovesWhatIsLarge(ChunkCodec nested, SparseFile file) {
        Edit.Replace first = (Edit.Replace) file.run(nested.update(
                Source.stored("c"),
                Box.of(shape(0), shape(8)),
                Model.filled(1, 8).feed(),
                ShardWritePolicy.defaults()));
        assertTrue(first.pieces().contains(new Piece.Copied(GIB, 5 * GIB)));
        assertEquals(4 * 8 + 64 + 5 * GIB + 32, first.size());
        if (!Rounds.areMany()) {
            return; // the next one looks for foreign bytes in 5 GiB, which takes seconds
        }
        Edit.Replace second = (Edit.Replace) file.run(nested.update(
                Source.stored("c"),
                Box.of(shape(12), shape(2)),
                Model.filled(1, 2).feed(),
                ShardWritePolicy.defaults()));
        List<Piece> moved = List.of(new Piece.Copied(GIB, 8), new Piece.Copied(5 * GIB + GIB / 2, 8));
        assertEquals(moved, second.pieces().subList(0, 2));
        assertEquals(3 * 8 + 64 + 32, second.size());
    }

    @Test
    void offsetsPastFourGiB_ofAnIndexAtTheStart() throws IOException {
        ChunkCodec codec = ShardingCodec.of(
                        shape(2), chain(Codecs.LITTLE), chain(Codecs.BIG, Codecs.CRC), IndexLocation.START)
                .bind(Model.type(7, 4), Limits.defaults());
        try (SparseFile file = new SparseFile(folder.resolve("c"))) {
            Bytes index = new Crc32cCodec()
                    .encode(Bytes.of(Shards.indexBytes(ByteOrder.BIG_ENDIAN, 5 * GIB, 8, 36, 8)), new Scratch());
            file.write(0, index.toArray());
            file.write(36, new Shards().ints(5, 6).done());
            file.write(5 * GIB, new Shards().ints(3, 4).done());
            Model.Output out = Model.output(4);
            file.run(codec.decodeInto(Source.stored("c"), Box.of(shape(4)), out.target()));
            assertEquals("[3, 4, 5, 6]", Arrays.toString(out.model().data));
        }
    }

    @Test
    void manyInnerChunks_areJoinedWithinABudget() {
        int n = Rounds.of(100_000);
        ChunkCodec codec = Codecs.bind(Model.type(7, n), Codecs.shard(shape(1), Codecs.LITTLE));
        Model model = Model.counting(n);
        Driver driver = new Driver(64, -1, Driver.Order.BACKWARD);
        ObjectMap objects = new ObjectMap();
        objects.write(codec, "c", Box.of(shape(n)), model, ShardWritePolicy.defaults(), driver);
        assertEquals(4L * (n - 1) + 16L * n + 4, objects.map.get("c").length, "the one that is 7 is missing");
        assertEquals(model, objects.read(codec, "c", Box.of(shape(n)), driver));
        assertEquals(1 + n - 1, objects.requests, "the index, and each inner chunk unmerged");
        assertTrue(driver.maxOpen <= 64, "open at once: " + driver.maxOpen);

        Box one = Box.of(shape(n / 2), shape(1));
        Edit edit = objects.write(codec, "c", one, Model.filled(-1, 1), ShardWritePolicy.defaults());
        assertEquals(4, ((Edit.Replace) edit).pieces().size(), "moved, new, moved, index");
        assertEquals(-1, objects.read(codec, "c", one).get(0));
    }

    @Test
    void aMillionMissingInnerChunks_areFilledInRuns() {
        ChunkCodec codec = Codecs.bind(Model.type(7, 1000, 1000), Codecs.shard(shape(1, 1), Codecs.LITTLE));
        ObjectMap objects = new ObjectMap();
        objects.write(
                codec, "c", Box.of(shape(500, 500), shape(1, 1)), Model.filled(1, 1, 1), ShardWritePolicy.defaults());
        Model expected = Model.filled(7, 1000, 1000);
        expected.set(Box.of(shape(500, 500), shape(1, 1)), Model.filled(1, 1, 1));
        Driver driver = new Driver(64, 0, Driver.Order.FORWARD);
        assertEquals(expected, objects.read(codec, "c", Box.of(shape(1000, 1000)), driver));
        assertEquals(2, driver.tasks);
    }
}
