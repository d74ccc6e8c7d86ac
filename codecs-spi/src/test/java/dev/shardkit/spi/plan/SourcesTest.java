package dev.shardkit.spi.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class SourcesTest {
    private static final Decoder<Long> SIZE = Decoder.kept(
            "size", v -> 8, (answer, scratch) -> answer instanceof ReadResult.Found f ? f.sourceSize() : -1L);

    private static ReadRequest<?> suffix(long offset, long length) {
        Plan<Long> plan =
                Source.stored("c/0").inner(new long[] {0}, offset, length).read(new ByteRange.Suffix(4), SIZE);
        return ((Plan.Need<?, Long>) plan).request();
    }

    @Test
    void slicesOfOneEnd_butOtherSizes_shareARangeAndNoIdentity() {
        assertEquals(suffix(10, 20).range(), suffix(20, 10).range());
        assertNotEquals(
                suffix(10, 20).decoder().identity(), suffix(20, 10).decoder().identity());
        assertEquals(
                suffix(10, 20).decoder().identity(), suffix(10, 20).decoder().identity());
    }
}
