package dev.shardkit.spi.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entries of a shard of 100 bytes whose index has 20: which are accepted, to the byte. */
class ShardIndexTest {
    private static final long NONE = ShardIndex.NONE;

    private static ShardIndex index(boolean isAtStart, long offset, long size) {
        return new ShardIndex(new long[] {offset, size}, new Extent(isAtStart ? 0 : 80, 20), 100);
    }

    @ParameterizedTest
    @CsvSource({
        "false, 0, 80",
        "false, 79, 1",
        "false, 80, 0",
        "false, 100, 0",
        "true, 20, 80",
        "true, 99, 1",
        "true, 0, 0",
        "true, 100, 0",
        "true, -1, -1"
    })
    void entriesBesideTheIndex_areAccepted(boolean isAtStart, long offset, long size) {
        assertEquals(Optional.empty(), index(isAtStart, offset, size).fault(0));
        assertArrayEquals(
                new long[] {offset, size},
                index(isAtStart, offset, size).named().entries());
    }

    @ParameterizedTest
    @CsvSource({
        "false, 0, 81, outside the index",
        "false, 79, 2, outside the index",
        "false, 99, 1, outside the index",
        "true, 19, 1, outside the index",
        "true, 0, 100, outside the index",
        "false, 100, 1, within the shard's 100 bytes",
        "true, 20, 81, within the shard's 100 bytes",
        "true, 99, 2, within the shard's 100 bytes",
        "true, 101, 0, within the shard's 100 bytes",
        "true, 20, 9223372036854775807, within the shard's 100 bytes",
        "true, 9223372036854775807, 20, within the shard's 100 bytes",
        "true, -2, 1, within the shard's 100 bytes",
        "true, 20, -2, within the shard's 100 bytes",
        "true, -1, 5, both or none",
        "true, 20, -1, both or none"
    })
    void otherEntries_areFaults(boolean isAtStart, long offset, long size, String message) {
        String fault = index(isAtStart, offset, size).fault(0).orElseThrow();
        assertTrue(fault.contains(message), fault);
    }

    /** What a truncated object still has of an inner chunk is kept if the index at its start is whole. */
    @ParameterizedTest
    @CsvSource({"20, 81, 20, 80", "99, 2, 99, 1", "100, 1, -1, -1", "19, 90, -1, -1"})
    void namedEntries_areCutAtTheEnd(long offset, long size, long namedOffset, long namedSize) {
        assertArrayEquals(
                new long[] {namedOffset, namedSize},
                index(true, offset, size).named().entries());
    }

    @ParameterizedTest
    @CsvSource({"0, 10, 0", "9, 10, 0", "10, 20, 3", "29, 30, 1", "30, 31, 3"})
    void next_isTheFirstThatNamesSuchBytes(long begin, long end, long expected) {
        ShardIndex index = new ShardIndex(new long[] {0, 10, 20, 10, NONE, NONE}, new Extent(80, 20), 100);
        assertEquals(expected, index.next(begin, end, 0));
    }
}
