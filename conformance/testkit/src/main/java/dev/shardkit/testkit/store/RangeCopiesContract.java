package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores whose puts copy ranges of stored objects ({@link Writes#copiesRanges}) as tests. To test a
 * store, extend this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class RangeCopiesContract extends StoreSuite {
    private static final byte[] OLD = StoreSuiteHelpers.bytes(1, 100_000);

    /** For subclasses. */
    protected RangeCopiesContract() {}

    private String version(String key) throws IOException {
        return store().version(key).orElseThrow();
    }

    private WriteResult put(String key, List<Part> parts, Condition condition) throws IOException {
        return store().put(key, new OfParts(parts), condition, Durability.ATOMIC);
    }

    private static Part literal(int seed, int size) {
        return new Part.Literal(Bytes.of(StoreSuiteHelpers.bytes(seed, size)));
    }

    private static byte[] joined(byte[]... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        return all.toByteArray();
    }

    private static byte[] slice(byte[] bytes, int offset, int size) {
        return java.util.Arrays.copyOfRange(bytes, offset, offset + size);
    }

    @Test
    void copiesRanges_saysSo() {
        assertTrue(ability(Writes.class).copiesRanges());
    }

    @Test
    void put_ofRangesOfTheObjectItself_joinsThem() throws IOException {
        put("a/k", OLD);
        String old = version("a/k");
        List<Part> parts = List.of(
                literal(2, 10),
                new Part.Stored("a/k", old, 90_000, 10_000),
                literal(3, 0),
                new Part.Stored("a/k", old, 0, 50_000),
                new Part.Stored("a/k", old, 70, 0),
                literal(4, 7));
        WriteResult outcome = put("a/k", parts, Condition.ANY);
        assertInstanceOf(WriteResult.Done.class, outcome);
        byte[] expected = joined(
                StoreSuiteHelpers.bytes(2, 10),
                slice(OLD, 90_000, 10_000),
                slice(OLD, 0, 50_000),
                StoreSuiteHelpers.bytes(4, 7));
        assertArrayEquals(expected, get("a/k").orElseThrow());
    }

    @Test
    void put_ofRangesOfOtherObjects_leavesThem() throws IOException {
        put("a/one", OLD);
        put("b/two", StoreSuiteHelpers.bytes(5, 1000));
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            parts.add(new Part.Stored("a/one", version("a/one"), i * 1000L, 10));
            parts.add(new Part.Stored("b/two", version("b/two"), i * 10L, 10));
        }
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            expected.add(slice(OLD, i * 1000, 10));
            expected.add(slice(StoreSuiteHelpers.bytes(5, 1000), i * 10, 10));
        }
        put("c/new", parts, Condition.ANY);
        assertArrayEquals(joined(expected.toArray(new byte[0][])), get("c/new").orElseThrow());
        assertArrayEquals(OLD, get("a/one").orElseThrow());
        assertArrayEquals(StoreSuiteHelpers.bytes(5, 1000), get("b/two").orElseThrow());
    }

    @Test
    void put_ofAWholeLargeObject_copiesIt() throws IOException {
        byte[] large = StoreSuiteHelpers.bytes(6, 9_000_001);
        put("a/k", large);
        put("a/n", List.of(new Part.Stored("a/k", version("a/k"), 0, large.length)), Condition.ANY);
        assertEquals(-1, java.util.Arrays.mismatch(large, get("a/n").orElseThrow()));
    }

    /** Checks that a writer that lost a race does not mix its bytes with those of the other writer. */
    @Test
    void put_ofAChangedObject_changesNothing() throws IOException {
        put("a/k", OLD);
        String old = version("a/k");
        byte[] next = StoreSuiteHelpers.bytes(7, 100_000);
        put("a/k", next);
        for (String key : List.of("a/k", "a/other")) {
            assertRefused(key, List.of(literal(8, 5), new Part.Stored("a/k", old, 0, 10)));
        }
        assertArrayEquals(next, get("a/k").orElseThrow());
        assertTrue(get("a/other").isEmpty());
    }

    @Test
    void put_ofADeletedObject_changesNothing() throws IOException {
        put("a/k", OLD);
        String old = version("a/k");
        store().delete("a/k");
        assertRefused("a/k", List.of(new Part.Stored("a/k", old, 0, 10)));
        assertTrue(get("a/k").isEmpty());
    }

    private void assertRefused(String key, List<Part> parts) throws IOException {
        try {
            assertInstanceOf(WriteResult.NotMet.class, put(key, parts, Condition.ANY), "a range of a changed object");
        } catch (ObjectChangedException e) {
            return; // as valid as the result NotMet
        }
    }

    @Test
    void put_ofARangePastTheEnd_failsAndChangesNothing() throws IOException {
        put("a/k", OLD);
        String old = version("a/k");
        for (Part past : List.of(
                new Part.Stored("a/k", old, 99_999, 2),
                new Part.Stored("a/k", old, 100_000, 1),
                new Part.Stored("a/k", old, 1L << 40, 1))) {
            assertThrows(Exception.class, () -> put("a/k", List.of(past), Condition.ANY), past.toString());
        }
        assertArrayEquals(OLD, get("a/k").orElseThrow());
    }

    @Test
    void put_underACondition_holdsBoth() throws IOException {
        put("a/k", OLD);
        String old = version("a/k");
        if (!store().putsUnderConditions()) {
            return;
        }
        List<Part> parts = List.of(new Part.Stored("a/k", old, 1, 10), literal(2, 3));
        assertInstanceOf(WriteResult.NotMet.class, put("a/k", parts, Condition.version("made up")));
        assertInstanceOf(WriteResult.NotMet.class, put("a/k", parts, Condition.ABSENT));
        assertArrayEquals(OLD, get("a/k").orElseThrow());
        assertInstanceOf(WriteResult.Done.class, put("a/k", parts, Condition.version(old)));
        assertArrayEquals(
                joined(slice(OLD, 1, 10), StoreSuiteHelpers.bytes(2, 3)),
                get("a/k").orElseThrow());
    }

    /** Content that is available only as parts. */
    private record OfParts(List<Part> all) implements Content {
        @Override
        public long size() {
            return all.stream().mapToLong(Part::size).sum();
        }

        @Override
        public void writeTo(WritableByteChannel out) {
            throw new IllegalStateException("a store that copies ranges uses the parts");
        }

        @Override
        public Optional<List<Part>> parts() {
            return Optional.of(List.copyOf(all));
        }
    }
}
