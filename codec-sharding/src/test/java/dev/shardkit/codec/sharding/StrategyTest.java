package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.internal.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each strategy on each kind of shard: the values, what is written, and what is left alone. */
@Tag("one-jdk")
class StrategyTest {
    private static final long[] SHAPE = {16, 16};
    private static final int FILL = -3;

    record Case(Strategy strategy, int levels, IndexLocation location, boolean checked, boolean fixed) {
        ChunkCodec codec() {
            CodecChain index = checked ? Codecs.INDEX : Codecs.chain(Codecs.LITTLE);
            Codec[] chain = fixed ? new Codec[] {Codecs.LITTLE} : new Codec[] {Codecs.LITTLE, Codecs.DEFLATE};
            for (int i = levels; i > 0; i--) {
                long edge = 16 >> i;
                chain = new Codec[] {
                    ShardingCodec.of(shape(edge, i == 1 ? 4 : edge), Codecs.chain(chain), index, location)
                };
            }
            return Codecs.chain(chain).bind(Model.type(FILL, SHAPE), Limits.defaults());
        }

        ShardWritePolicy policy() {
            return ShardWritePolicy.defaults().withStrategy(strategy);
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            for (int levels = 1; levels <= 3; levels++) {
                for (IndexLocation location : IndexLocation.values()) {
                    for (int bits = 0; bits < 4; bits++) {
                        cases.add(new Case(strategy, levels, location, (bits & 1) != 0, (bits & 2) != 0));
                    }
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void randomWritesAndErases_agreeWithTheModel_andWriteNoMoreThanTheyMust(Case c) {
        ChunkCodec codec = c.codec();
        ObjectMap objects = new ObjectMap();
        Model model = Model.filled(FILL, SHAPE);
        Random random = new Random(c.hashCode());
        for (int i = 0; i < (Rounds.areMany() ? 60 : 20); i++) {
            Box part = Model.randomPart(random, SHAPE);
            Model values = i % 4 == 3
                    ? Model.filled(FILL, part.shape())
                    : i % 4 == 2 ? Model.filled(i, part.shape()) : Model.random(random, part.shape());
            model.set(part, values);
            ShardWritePolicy policy = c.policy()
                    .withMaxUnusedPercent(random.nextInt(101))
                    .withSlack(new ShardWritePolicy.Slack(random.nextInt(2) * 40, 24))
                    .withOrder(ShardWritePolicy.Order.values()[random.nextInt(4)]);
            byte[] before = objects.map.get("c");
            List<String> untouched = before == null ? List.of() : untouched(codec, objects, part);
            List<Extent> old = touched(codec, objects, part);
            Edit edit = objects.write(codec, "c", part, values, policy);
            checkInPlace(edit, old, codec, objects, part);
            assertEquals(model, objects.read(codec, "c", Box.of(SHAPE)), "write " + i + " of " + part);
            check(c, codec, edit, objects);
            if (objects.map.containsKey("c")) {
                assertTrue(
                        untouched(codec, objects, part).containsAll(untouched),
                        "inner chunks untouched keep their bytes");
            }
        }
    }

    /** Where the inner chunks that a write of {@code part} touches lie; of 0 bytes if they are not stored. */
    private static List<Extent> touched(ChunkCodec codec, ObjectMap objects, Box part) {
        Optional<Layout> layout = objects.run(codec.shardAccess().orElseThrow().layout(Source.stored("c")));
        InnerChunkGrid cells =
                InnerChunkGrid.of(SHAPE, codec.shardAccess().get().innerShape());
        List<Extent> found = new ArrayList<>();
        for (long i = 0; layout.isPresent() && i < layout.get().count(); i++) {
            if (!cells.box(cells.cell(i)).intersect(part).isEmpty()) {
                found.add(layout.get().extent(i).orElse(new Extent(0, 0)));
            }
        }
        return found;
    }

    private static void checkInPlace(Edit edit, List<Extent> old, ChunkCodec codec, ObjectMap objects, Box part) {
        if (!(edit instanceof Edit.Patch patch) || patch.strategy() != Strategy.IN_PLACE) {
            return;
        }
        List<Extent> now = touched(codec, objects, part);
        long most = 0;
        boolean same = true;
        for (int i = 0; i < old.size(); i++) {
            most += Math.max(
                    UnusedBytesMark.SIZE, Math.max(old.get(i).size(), now.get(i).size()));
            same &= old.get(i).equals(now.get(i));
        }
        long index = objects.run(codec.shardAccess().get().layout(Source.stored("c")))
                .orElseThrow()
                .index()
                .size();
        assertTrue(patch.written() <= most + (same ? 0 : index), patch + " for at most " + most);
    }

    /** The stored bytes of the inner chunks that a write of {@code part} does not touch. */
    private static List<String> untouched(ChunkCodec codec, ObjectMap objects, Box part) {
        Layout layout = objects.run(codec.shardAccess().orElseThrow().layout(Source.stored("c")))
                .orElseThrow();
        InnerChunkGrid cells =
                InnerChunkGrid.of(SHAPE, codec.shardAccess().get().innerShape());
        List<String> found = new ArrayList<>();
        for (long i = 0; i < layout.count(); i++) {
            long number = i;
            if (cells.box(cells.cell(i)).intersect(part).isEmpty()) {
                layout.extent(i)
                        .ifPresent(e -> found.add(number
                                + Arrays.toString(Arrays.copyOfRange(
                                        objects.map.get("c"), (int) e.offset(), (int) (e.offset() + e.size())))));
            }
        }
        return found;
    }

    private static void check(Case c, ChunkCodec codec, Edit edit, ObjectMap objects) {
        if (!(edit instanceof Edit.Patch patch)) {
            return;
        }
        assertTrue(c.strategy() != Strategy.REWRITE, "a rewrite is no patch");
        assertTrue(
                patch.strategy() == c.strategy() || patch.fallbackReason().isPresent(), "why it is another strategy");
        Layout layout = objects.run(codec.shardAccess().orElseThrow().layout(Source.stored("c")))
                .orElseThrow();
        assertEquals(objects.map.get("c").length, patch.size());
        if (patch.strategy() == Strategy.IN_PLACE) {
            assertEquals(List.of(), patch.appended());
            assertEquals(Edit.Recovery.JOURNAL, patch.recovery());
            return;
        }
        long chunks = 0;
        for (long i = 0; i < layout.count(); i++) {
            chunks += layout.extent(i)
                    .filter(e -> e.offset() >= patch.oldSize())
                    .map(e -> e.size())
                    .orElse(0L);
        }
        boolean last = c.location() == IndexLocation.END && c.checked();
        assertEquals(last ? Edit.Recovery.LAST_INDEX : Edit.Recovery.JOURNAL, patch.recovery());
        long marks = last ? 0 : 2 * UnusedBytesMark.SIZE;
        assertTrue(patch.written() <= chunks + layout.index().size() + marks, patch + " for chunks of " + chunks);
        assertTrue(!last || patch.overwritten().isEmpty());
    }

    static Stream<Case> fixedCases() {
        return cases().filter(c -> c.fixed() && c.strategy() == Strategy.IN_PLACE);
    }

    @ParameterizedTest
    @MethodSource("fixedCases")
    void wholeAllocation_makesEveryLaterWriteInPlace_andLeavesTheIndex(Case c) {
        ChunkCodec codec = c.codec();
        ObjectMap objects = new ObjectMap();
        ShardWritePolicy policy = c.policy().withAllocation(ShardWritePolicy.Allocation.WHOLE);
        Model model = Model.filled(FILL, SHAPE);
        Random random = new Random(5);
        Edit first = objects.write(codec, "c", Box.of(shape(3, 3), shape(1, 2)), Model.filled(4, 1, 2), policy);
        model.set(Box.of(shape(3, 3), shape(1, 2)), Model.filled(4, 1, 2));
        long size = ((Edit.Replace) first).size();
        for (int i = 0; i < 40; i++) {
            Box part = Model.randomPart(random, SHAPE);
            if (part.equals(Box.of(SHAPE))) {
                continue;
            }
            Model values = i % 3 == 0 ? Model.filled(FILL, part.shape()) : Model.random(random, part.shape());
            model.set(part, values);
            Layout before = objects.run(codec.shardAccess().get().layout(Source.stored("c")))
                    .orElseThrow();
            Edit.Patch patch = assertInstanceOf(Edit.Patch.class, objects.write(codec, "c", part, values, policy));
            assertEquals(Strategy.IN_PLACE, patch.strategy());
            assertTrue(
                    patch.overwritten().stream()
                            .noneMatch(w -> w.offset()
                                            < before.index().offset()
                                                    + before.index().size()
                                    && before.index().offset()
                                            < w.offset() + w.bytes().size()),
                    "the index stays");
            assertEquals(model, objects.read(codec, "c", Box.of(SHAPE)));
            assertEquals(size, objects.map.get("c").length);
        }
    }

    @ParameterizedTest
    @MethodSource("fixedCases")
    void wholeAllocation_withZeroFill_isMostlyHoles(Case c) {
        ChunkCodec codec = new Case(c.strategy(), 1, c.location(), c.checked(), true).codec();
        ChunkCodec zero = Codecs.bind(
                Model.type(0, SHAPE),
                Codecs.shard(c.location(), codec.shardAccess().get().innerShape(), Codecs.LITTLE));
        Edit edit = new ObjectMap()
                .write(
                        zero,
                        "c",
                        Box.of(shape(1, 1)),
                        Model.filled(1, 1, 1),
                        c.policy().withAllocation(ShardWritePolicy.Allocation.WHOLE));
        long zeros = ((Edit.Replace) edit)
                .pieces().stream()
                        .filter(p -> p instanceof Piece.Zeros)
                        .mapToLong(Piece::size)
                        .sum();
        assertEquals(4 * 16 * 16 * 7 / 8, zeros);
    }
}
