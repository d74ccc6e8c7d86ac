package dev.shardkit.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DataLocationTest {
    private static ZarrException locate(ZarrException e, DataLocation place) {
        return e.locate(Optional.empty(), Optional.of(place), Optional.empty());
    }

    @Test
    void metadata_isNoShardOrChunk() {
        ZarrException e = new MetadataException("not JSON")
                .locate(Optional.of("file:/a"), Optional.of(DataLocation.of("b/zarr.json")), Optional.of("all bytes"));
        assertEquals("not JSON [node file:/a, metadata b/zarr.json]", e.getMessage());
        assertEquals("metadata .zarray", DataLocation.of(".zarray").toString());
        assertEquals(
                "shard or chunk c/zarr.json.0", DataLocation.of("c/zarr.json.0").toString());
    }

    @Test
    void placeWithoutKey_isCompletedByOneThatHasIt() {
        ZarrException e = new CorruptDataException("short");
        locate(e, DataLocation.nowhere().inner(new long[] {2}).inner(new long[] {3}));
        locate(e, DataLocation.nowhere().inner(new long[] {9}));
        locate(e, DataLocation.of("c/0").inner(new long[] {1}));
        locate(e, DataLocation.of("c/1"));
        assertEquals("short [shard or chunk c/0, inner chunk [1], inner chunk [2], inner chunk [3]]", e.getMessage());
    }

    @Test
    void namedPlace_staysWhenAKeyIsAdded() {
        ZarrException failure = new UnsupportedException("no")
                .locate(Optional.empty(), Optional.of(DataLocation.named("dataset /a")), Optional.empty())
                .locate(Optional.of("f.h5"), Optional.of(DataLocation.of("zarr.json")), Optional.of("whole"));
        assertEquals("no [array f.h5, dataset /a]", failure.getMessage());
    }
}
