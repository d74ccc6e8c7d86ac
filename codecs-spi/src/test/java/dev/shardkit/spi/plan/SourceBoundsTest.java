package dev.shardkit.spi.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceBoundsTest {
    private static final long[] CELL = {3, 4};
    private static final Decoder<Long> SIZES = (answer, scratch) -> answer instanceof ReadResult.Found f
            ? 1000 * f.sourceSize() + f.bytes().size()
            : -1L;

    private static ReadRequest<?> request(Source source, ByteRange range) {
        return ((Plan.Need<?, ?>) source.read(range, SIZES)).request();
    }

    private static long read(Source source, ByteRange range) {
        return PlanRun.run(source.read(range, SIZES), new Scratch(), r -> {
            throw new AssertionError(r);
        });
    }

    @Test
    void slicesOfSlices_areSlicesOfTheObject() {
        Source whole = Source.stored("c/0");
        assertEquals(
                new ByteRange.Suffix(8), request(whole, new ByteRange.Suffix(8)).range());
        assertEquals(ByteRange.whole(), request(whole, ByteRange.whole()).range());
        Source inner = whole.inner(CELL, 100, 50).inner(CELL, 10, 20);
        assertEquals(
                new ByteRange.Slice(110, 20), request(inner, ByteRange.whole()).range());
        assertEquals(
                new ByteRange.Slice(122, 8),
                request(inner, new ByteRange.Suffix(8)).range());
        assertEquals(
                new ByteRange.Slice(110, 20),
                request(inner, new ByteRange.Suffix(80)).range());
        assertEquals(
                new ByteRange.Slice(115, 15),
                request(inner, new ByteRange.Slice(5, 15)).range());
        assertEquals(20, inner.size().orElseThrow());
        assertEquals("c/0", request(inner, ByteRange.whole()).key());
        assertEquals(2, inner.location().innerChunks().size());
        assertTrue(inner.location().toString().contains("inner chunk [3, 4], inner chunk [3, 4]"));
    }

    @ParameterizedTest
    @CsvSource({"0, 51", "50, 1", "51, 0", "-1, 1", "0, -1", "9223372036854775807, 1", "1, 9223372036854775807"})
    void rangesPastAKnownEnd_areCorrupt(long offset, long length) {
        DataLocation place = DataLocation.of("c/0");
        for (Source s : new Source[] {Source.stored("c/0", 100, 50), Source.of(Bytes.of(new byte[50]), place)}) {
            CorruptDataException e = assertThrows(CorruptDataException.class, () -> s.inner(CELL, offset, length));
            assertTrue(e.getMessage().contains("c/0, inner chunk [3, 4]"), e.getMessage());
            assertTrue(e.getMessage().contains("offset " + Long.toUnsignedString(offset)), e.getMessage());
        }
        if (offset >= 0 && length >= 0 && offset + length >= 0) {
            ByteRange range = new ByteRange.Slice(offset, length);
            assertThrows(CorruptDataException.class, () -> request(Source.stored("c/0", 100, 50), range));
            assertThrows(CorruptDataException.class, () -> read(Source.of(Bytes.of(new byte[50]), place), range));
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "9223372036854775807, 1"})
    void rangesThatCannotBe_areCorruptWhereTheEndIsUnknownToo(long offset, long length) {
        assertThrows(CorruptDataException.class, () -> Source.stored("c/0").inner(CELL, offset, length));
    }

    @Test
    void rangesUpToTheEnd_areFine() {
        assertEquals(0, Source.stored("c/0", 100, 50).inner(CELL, 50, 0).size().orElseThrow());
        assertEquals(
                50_005, read(Source.of(Bytes.of(new byte[50]), DataLocation.nowhere()), new ByteRange.Slice(45, 5)));
        assertEquals(50_050, read(Source.of(Bytes.of(new byte[50]), DataLocation.nowhere()), new ByteRange.Suffix(60)));
        assertEquals(
                7_007,
                read(Source.of(Bytes.of(new byte[50]), DataLocation.nowhere()).inner(CELL, 43, 7), ByteRange.whole()));
    }

    @Test
    void decodersOfASlice_areToldItsSize() {
        Plan<Long> plan = Source.stored("c/0").inner(CELL, 100, 50).read(new ByteRange.Suffix(4), SIZES);
        assertEquals(
                50_004, PlanRun.run(plan, new Scratch(), r -> new ReadResult.Found(Bytes.of(new byte[4]), 99_999)));
    }

    @Test
    void absence_goesAllTheWayDown() {
        Source absent = Source.absent(DataLocation.of("c/0")).inner(CELL, 5, 5).inner(CELL, 50, 50);
        assertTrue(absent.isAbsent());
        assertEquals(-1, read(absent, ByteRange.whole()));
        Plan<Long> slice = Source.stored("c/0").inner(CELL, 1, 2).read(ByteRange.whole(), SIZES);
        assertEquals(-1, PlanRun.run(slice, new Scratch(), r -> new ReadResult.Absent()));
    }

    @Test
    void byteRanges_thatCannotBe_areTheCallersMistake() {
        assertThrows(IllegalArgumentException.class, () -> new ByteRange.Slice(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new ByteRange.Slice(1, -1));
        assertThrows(IllegalArgumentException.class, () -> new ByteRange.Slice(Long.MAX_VALUE, 1));
        assertThrows(IllegalArgumentException.class, () -> new ByteRange.Suffix(-1));
    }
}
