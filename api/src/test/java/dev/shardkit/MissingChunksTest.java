package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.MissingChunkException;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.MissingChunks;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads of arrays that must be complete. */
class MissingChunksTest {
    static Stream<ArraySpec> layouts() {
        ArraySpec plain = ArraySpec.of("int32", 8, 8).withChunkShape(2, 2);
        return Stream.of(
                plain,
                plain.withCodecs(Codecs.bytesLittleEndian()),
                plain.withShardShape(4, 4),
                plain.withShardShape(4, 4).withCodecs(Codecs.transpose(1, 0), Codecs.zstd(1)),
                plain.withShardShape(8, 8));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void missingChunks_failIfAsked_andReadAsFillElse(ArraySpec spec) {
        MemoryStore store = MemoryStore.create();
        ZarrOptions complete = ZarrOptions.defaults().withMissingChunks(MissingChunks.ERROR);
        try (ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, complete)) {
            array.write(box(at(0, 0), 2, 4), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            assertEquals(7, array.read(box(at(1, 2), 1, 1)).ints()[0]);
            MissingChunkException e = assertThrows(MissingChunkException.class, () -> array.read(box(at(1, 2), 3, 2)));
            assertTrue(e.getMessage().contains("region [2:4, 2:4] is not stored"), e::getMessage);
            assertTrue(e.location().isPresent(), e::getMessage);
            assertThrows(
                    MissingChunkException.class,
                    () -> array.view().indices(0, 7).read());
            Throwable cause = assertThrows(CompletionException.class, () -> array.readAsync(array.domain())
                            .join())
                    .getCause();
            assertTrue(cause instanceof MissingChunkException, cause::toString);
            assertEquals(
                    0,
                    array.with(o -> o.withMissingChunks(MissingChunks.FILL))
                            .read(box(at(1, 2), 3, 2))
                            .ints()[4]);
            array.write(box(at(0, 0), 1, 1), new int[] {9}, 0); // updates read no missing chunk
        }
    }
}
