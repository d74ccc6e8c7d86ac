package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.maintenance.Part;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies in parts, as by several processes. */
class PartedCopyTest extends PartedCopyTestBase {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void parts_inAnyOrderAndSomeTwice_makeTheCopy_thatNobodySeesBefore(int parts) throws IOException {
        List<Integer> order =
                new ArrayList<>(IntStream.rangeClosed(1, parts).boxed().toList());
        Collections.shuffle(order, new Random(parts));
        order.add(order.get(0));
        for (int part : order) {
            reshardedCopy().run(new Part(part, parts));
            assertFalse(isVisible());
        }
        reshardedCopy().finish();
        assertCopied();
        assertArrayEquals(
                new long[] {20, 10}, Zarr.openArray(target(), "g/a", OPTIONS).storedChunkShape());
    }

    @Test
    void copyAsStored_hasTheSameBytes() throws IOException {
        for (int part = 1; part <= 3; part++) {
            Copy.of(source).inParts(target(), OPTIONS).run(new Part(part, 3));
        }
        Copy.of(source).inParts(target(), OPTIONS).finish();
        assertCopied();
        assertArrayEquals(
                Files.readAllBytes(dir.resolve("from/g/a/c/1/2")), Files.readAllBytes(dir.resolve("to/g/a/c/1/2")));
    }

    @Test
    void missingPart_isNamed_andNothingIsPublished() throws IOException {
        assertTrue(refused(() -> reshardedCopy().finish()).contains("no unfinished copy"));
        reshardedCopy().run(new Part(1, 3));
        reshardedCopy().run(new Part(3, 3));
        String message = refused(() -> reshardedCopy().finish());
        assertTrue(message.contains("missing part 2/3"), message);
        assertFalse(isVisible());
        reshardedCopy().run(new Part(2, 3));
        reshardedCopy().finish();
        assertCopied();
    }

    private static String refused(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(StoreException.class, call).getMessage();
    }

    @Test
    void otherParts_otherLayouts_andOtherContent_areRefused() throws IOException {
        reshardedCopy().run(new Part(1, 3));
        assertTrue(refused(() -> reshardedCopy().run(new Part(1, 4))).contains("in 3 parts"));
        PartedCopy other = Copy.of(source).withShardShape(10, 30).inParts(target(), OPTIONS);
        assertTrue(refused(() -> other.run(new Part(2, 3))).contains("unfinished copy"));
        assertTrue(refused(() -> other.write(0, 1)).contains("no unfinished copy of this source with this layout"));
        for (int part : new int[] {2, 3}) {
            reshardedCopy().run(new Part(part, 3));
        }
        reshardedCopy().finish();
        assertTrue(refused(() -> reshardedCopy().run(new Part(1, 3))).contains("already holds"), "it is published");
        Copy.of(source)
                .withShardShape(20, 10)
                .overwriting()
                .inParts(target(), OPTIONS)
                .begin();
        assertFalse(isVisible(), "replaced");
    }

    @Test
    void repeatedRun_keepsSoundShards_andWritesTornOnesAgain() throws IOException {
        reshardedCopy().run(new Part(1, 1));
        Path sound = dir.resolve("to/g/a/c/0/1");
        Path torn = dir.resolve("to/g/a/c/0/2");
        Object key = Files.readAttributes(sound, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
        byte[] bytes = Files.readAllBytes(torn);
        Files.write(torn, Arrays.copyOf(bytes, bytes.length / 2));
        reshardedCopy().run(new Part(1, 1));
        assertEquals(
                key,
                Files.readAttributes(sound, java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey());
        assertArrayEquals(bytes, Files.readAllBytes(torn));
        reshardedCopy().finish();
        assertCopied();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void latePart_writesNothingAfterThePublication(boolean reshards) throws IOException {
        Copy fast = reshards ? Copy.of(source).withShardShape(10, 10) : Copy.of(source);
        Copy late = fast.withProgress((path, done, total) -> {
            if (done == 1 && !isVisible()) {
                fast.inParts(target(), OPTIONS).run(new Part(1, 1));
                fast.inParts(target(), OPTIONS).finish();
                ZarrArray array = Zarr.openArray(target(), "g/a", OPTIONS);
                array.erase(array.domain());
            }
        });
        PartedCopy part = late.inParts(target(), OPTIONS);
        assertThrows(StoreException.class, () -> part.run(new Part(1, 1)));
        assertEquals(
                0,
                Zarr.openArray(target(), "g/a", OPTIONS).presence().bitmap().cardinality(),
                "erased shards stay erased");
        try (var names = Files.list(dir.resolve("to"))) {
            assertTrue(names.noneMatch(p -> p.getFileName().toString().startsWith("__")));
        }
    }

    @Test
    void otherSource_withTheSameMetadata_isRefused() {
        Copy.of(source).inParts(target(), OPTIONS).run(new Part(1, 2));
        Copy.of(source).to(FileStore.at(dir.resolve("other")), OPTIONS);
        ZarrGroup other = Zarr.openGroup(dir.resolve("other").toString());
        PartedCopy part = Copy.of(other).inParts(target(), OPTIONS);
        assertThrows(StoreException.class, () -> part.run(new Part(2, 2)));
    }

    @Test
    void finish_thatWasInterrupted_isRepeated() throws IOException {
        reshardedCopy().run(new Part(1, 2));
        reshardedCopy().run(new Part(2, 2));
        byte[] state = Files.readAllBytes(dir.resolve("to/__unfinished"));
        reshardedCopy().finish();
        Files.write(dir.resolve("to/__unfinished"), state); // all is published, the mark is left
        reshardedCopy().finish();
        assertCopied();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "files have no permissions of POSIX")
    void privateSources_haveAPrivateCopy() throws IOException {
        for (String node : List.of("", "/g", "/g/a", "/b", "/empty")) {
            Files.setPosixFilePermissions(
                    dir.resolve("from" + node + "/zarr.json"), PosixFilePermissions.fromString("rw-------"));
        }
        reshardedCopy().run(new Part(1, 2));
        reshardedCopy().run(new Part(2, 2));
        reshardedCopy().finish();
        for (String file : List.of("zarr.json", "g/a/zarr.json", "g/a/c/0/1")) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("to/" + file))),
                    file);
        }
        assertFalse(Files.exists(dir.resolve("to/g/a/__access")));
    }
}
