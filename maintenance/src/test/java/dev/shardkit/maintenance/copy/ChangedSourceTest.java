package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.concat.VirtualConcatenation;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** If the source is moved, deleted or resized during a copy, the copy publishes no wrong elements. */
@Timeout(300)
class ChangedSourceTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withParallelism(1);
    private static final int SIDE = 32;

    @TempDir
    Path dir;

    private static int[] values() {
        return IntStream.rangeClosed(1, SIDE * SIDE).toArray();
    }

    private static void fill(Store store) {
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE).withChunkShape(8, 8);
        ZarrArray array = Zarr.createArray(store, "", spec, IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), values(), 0);
    }

    private static MemoryStore filled() {
        MemoryStore store = MemoryStore.create();
        fill(store);
        return store;
    }

    private static void assertCopied(Store to) {
        assertArrayEquals(values(), Zarr.openArray(to, "", OPTIONS).read().ints());
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void copy_whoseSourceFolderIsMoved_publishesNothing_andCanBeResumed() throws IOException {
        Path from = dir.resolve("from");
        fill(FileStore.at(from));
        FileStore to = FileStore.at(dir.resolve("to"));
        Copy copy = Copy.of(Zarr.open(from.toString(), OPTIONS)).withShardShape(16, 8);
        AtomicInteger moves = new AtomicInteger();
        Copy moving = copy.withProgress((path, done, total) -> {
            if (done > 2 && moves.getAndIncrement() == 0) {
                move(from, dir.resolve("elsewhere"));
            }
        });
        MetadataException e = assertThrows(MetadataException.class, () -> moving.to(to, OPTIONS));
        assertTrue(e.getMessage().contains("moved or removed"), e.getMessage());
        assertFalse(Zarr.find(to, "", OPTIONS).isPresent());
        Files.move(dir.resolve("elsewhere"), from);
        copy.to(to, OPTIONS);
        assertCopied(to);
    }

    @Test
    void copy_whoseSourceIsDeleted_publishesNothing() {
        MemoryStore from = filled();
        MemoryStore to = MemoryStore.create();
        ZarrArray source = Zarr.openArray(from, "", OPTIONS);
        Copy copy = Copy.of(source).withShardShape(16, 8).withProgress((path, done, total) -> source.delete());
        assertThrows(MetadataException.class, () -> copy.to(to, OPTIONS));
        assertFalse(Zarr.find(to, "", OPTIONS).isPresent());
    }

    @Test
    void referencesToAnArrayThatIsGone_areRefused() throws IOException {
        Path from = dir.resolve("from");
        fill(FileStore.at(from));
        ZarrArray array = Zarr.openArray(from.toString());
        Files.move(from, dir.resolve("elsewhere"));
        VirtualConcatenation references = VirtualConcatenation.of(List.of(array), 0, OPTIONS);
        assertThrows(MetadataException.class, () -> references.document(Object::toString));
    }

    /** A group without its folder has no children to list. */
    @Test
    void copyOfAGroup_whoseFolderIsGone_publishesNoEmptyGroup() throws IOException {
        Path from = dir.resolve("group");
        Zarr.createGroup(from.toString(), Json.object(), IfExists.REFUSE, OPTIONS)
                .createArray("a", ArraySpec.of("int8", 4), IfExists.REFUSE);
        Copy copy = Copy.of(Zarr.open(from.toString(), OPTIONS));
        Files.move(from, dir.resolve("elsewhere"));
        MemoryStore to = MemoryStore.create();
        assertThrows(MetadataException.class, () -> copy.to(to, OPTIONS));
        assertFalse(Zarr.find(to, "", OPTIONS).isPresent());
    }

    @Test
    void copyOfAnArrayThatGrows_isThatOfItsOpening_andOneThatShrinksIsRefused() {
        for (long length : new long[] {2 * SIDE, SIDE / 2}) {
            MemoryStore from = filled();
            MemoryStore to = MemoryStore.create();
            ZarrArray source = Zarr.openArray(from, "", OPTIONS);
            Copy copy = Copy.of(source).withProgress((path, done, total) -> {
                if (done == total) {
                    source.resize(new long[] {length, SIDE}, ResizePolicy.REMOVE);
                }
            });
            if (length > SIDE) {
                copy.to(to, OPTIONS);
                assertCopied(to);
            } else {
                MetadataException e = assertThrows(MetadataException.class, () -> copy.to(to, OPTIONS));
                assertTrue(e.getMessage().contains("its shape is"), e.getMessage());
            }
        }
    }

    @Test
    void conversionOfAnArrayThatIsMoved_publishesNothing_andCanBeResumed() throws IOException {
        Path folder = Files.createDirectory(dir.resolve("v2"));
        Files.writeString(
                folder.resolve(".zarray"),
                "{\"zarr_format\": 2, \"shape\": [8], \"chunks\": [2], \"dtype\": \"|u1\", \"compressor\": null,"
                        + " \"fill_value\": 0, \"order\": \"C\", \"filters\": null}");
        for (int i = 0; i < 4; i++) {
            Files.write(folder.resolve(Integer.toString(i)), new byte[] {1, 2});
        }
        MemoryStore to = MemoryStore.create();
        AtomicInteger moves = new AtomicInteger();
        Conversion conversion = Conversion.to(FileStore.at(folder), to, OPTIONS);
        Conversion moving = conversion.withProgress((path, done, total) -> {
            if (done == 2 && moves.getAndIncrement() == 0) {
                move(folder, dir.resolve("elsewhere"));
            }
        });
        assertThrows(MetadataException.class, () -> moving.run(Mode.APPLY, node -> {}));
        assertFalse(Zarr.find(to, "", OPTIONS).isPresent());
        Files.move(dir.resolve("elsewhere"), folder);
        assertEquals(1, conversion.run(Mode.APPLY, node -> {}).converted());
        assertArrayEquals(new byte[] {1, 2, 1, 2, 1, 2, 1, 2}, (byte[])
                Zarr.openArray(to, "", OPTIONS).read().array());
    }
}
