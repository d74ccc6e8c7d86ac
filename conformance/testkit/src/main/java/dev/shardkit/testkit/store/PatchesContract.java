package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.store.PatchSamples.literal;
import static dev.shardkit.testkit.store.PatchSamples.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Patches}. To test a store, extend it in addition to {@link WritesContract}. The
 * contract cannot imitate a killed process, so it does not test {@link Patches#recover} after an interrupted patch.
 */
@Timeout(120)
public abstract class PatchesContract extends StoreSuite {
    private static final String KEY = "a/c/0/1";

    /** For subclasses. */
    protected PatchesContract() {}

    private Patches patches() {
        return ability(Patches.class);
    }

    private void put(byte[] value) throws IOException {
        put(KEY, value);
    }

    private byte[] get() throws IOException {
        return get(KEY).orElseThrow();
    }

    private void patch(Edit.Patch patch) throws IOException {
        patches().patch("a", KEY, patch, Durability.ATOMIC);
    }

    @Test
    void patch_anyPieces_makesTheContentOfThem() throws IOException {
        Random random = new Random(5);
        byte[] content = StoreSuiteHelpers.bytes(1, 1000);
        put(content);
        for (int i = 0; i < Rounds.of(40); i++) {
            Durability durability = Durability.values()[i % 3];
            Edit.Patch patch = PatchSamples.random(random, content.length, i);
            patches().patch("a", KEY, patch, durability);
            content = PatchSamples.applied(patch, content);
            assertEquals(-1, Arrays.mismatch(content, get()), "patch " + i + ": " + patch);
            if (content.length > 50_000) {
                content = StoreSuiteHelpers.bytes(i, 1000);
                put(content);
            }
        }
        assertListed(Map.of("1", Entry.Kind.OBJECT), "a/c/0", "files of patches are not listed");
        assertListed(Map.of("c", Entry.Kind.PREFIX), "a", "files of patches are not listed");
    }

    @Test
    void patch_movedPiecesOfManyMegabytes_areCopied() throws IOException {
        byte[] content = StoreSuiteHelpers.bytes(2, 9_000_001);
        put(content);
        Edit.Patch patch = PatchSamples.of(
                content.length,
                List.of(new Piece.Copied(1, 9_000_000), literal(new byte[] {1, 2}), new Piece.Copied(8_999_999, 2)),
                write(0, new byte[] {7}));
        patch(patch);
        assertEquals(-1, Arrays.mismatch(PatchSamples.applied(patch, content), get()));
    }

    @Test
    void patch_ofNothing_changesNoByte() throws IOException {
        for (int size : new int[] {0, 10}) {
            byte[] content = StoreSuiteHelpers.bytes(3, size);
            put(content);
            patch(PatchSamples.of(size, List.of()));
            patch(PatchSamples.of(
                    size,
                    List.of(literal(new byte[0]), new Piece.Copied(size, 0), new Piece.Zeros(0)),
                    write(size, new byte[0])));
            assertArrayEquals(content, get());
        }
    }

    @Test
    void patch_ofALongerObject_cutsItFirst() throws IOException {
        byte[] content = StoreSuiteHelpers.bytes(4, 100);
        put(content);
        patch(PatchSamples.of(90, List.of()));
        assertArrayEquals(Arrays.copyOf(content, 90), get());
        patch(PatchSamples.of(80, List.of(new Piece.Zeros(3)), write(0, new byte[] {1})));
        byte[] expected = Arrays.copyOf(Arrays.copyOf(content, 80), 83);
        expected[0] = 1;
        assertArrayEquals(expected, get());
    }

    @Test
    void patch_ofAShorterObjectOrNone_isTold_andNothingTouched() throws IOException {
        byte[] content = StoreSuiteHelpers.bytes(5, 100);
        put(content);
        assertThrows(ObjectChangedException.class, () -> patch(PatchSamples.of(101, List.of(), write(0, new byte[1]))));
        assertThrows(ObjectChangedException.class, () -> patch(PatchSamples.of(1000, List.of(literal(new byte[1])))));
        assertArrayEquals(content, get());
        store().delete(KEY);
        assertThrows(ObjectChangedException.class, () -> patch(PatchSamples.of(0, List.of(literal(new byte[1])))));
        assertThrows(ObjectChangedException.class, () -> patch(PatchSamples.of(100, List.of())));
        assertTrue(store().open(KEY).isEmpty());
    }

    @Test
    void patch_thatReachesOutOfTheObject_isTheCallersMistake_andNothingTouched() throws IOException {
        byte[] content = StoreSuiteHelpers.bytes(6, 100);
        put(content);
        for (Edit.Patch wrong : List.of(
                PatchSamples.of(100, List.of(), write(99, new byte[2])),
                PatchSamples.of(100, List.of(), write(-1, new byte[1])),
                PatchSamples.of(90, List.of(), write(90, new byte[1])),
                PatchSamples.of(100, List.of(new Piece.Copied(99, 2))),
                PatchSamples.of(100, List.of(new Piece.Copied(-1, 1))))) {
            assertThrows(IllegalArgumentException.class, () -> patch(wrong), wrong.toString());
        }
        assertArrayEquals(content, get());
    }

    @Test
    void patch_quickOnes_eachMakeANewVersion() throws IOException {
        put(StoreSuiteHelpers.bytes(7, 100));
        Set<String> versions = new HashSet<>();
        int rounds = Rounds.of(50);
        for (int i = 0; i < rounds; i++) {
            patch(PatchSamples.of(100, List.of(), write(i % 100, new byte[] {(byte) i})));
            try (ObjectSnapshot snapshot = store().open(KEY).orElseThrow()) {
                versions.add(snapshot.version());
            }
        }
        assertEquals(rounds, versions.size());
    }

    /** After the patch come: nothing (case 0), a put (1), a delete (2), a delete and a put (3). */
    @Test
    void confirm_tellsOfAPatch_whateverCameAfterIt() throws IOException {
        for (int after = 0; after < 4; after++) {
            put(StoreSuiteHelpers.bytes(8, 100));
            try (ObjectSnapshot before = store().open(KEY).orElseThrow()) {
                before.confirm();
                patch(PatchSamples.of(100, List.of(), write(5, new byte[] {1})));
                if (after == 1) {
                    put(StoreSuiteHelpers.bytes(9, 100));
                } else if (after > 1) {
                    store().delete(KEY);
                }
                if (after == 3) {
                    put(StoreSuiteHelpers.bytes(9, 100));
                }
                assertThrows(ObjectChangedException.class, before::confirm, "case " + after);
            }
            if (after != 2) { // else there is no object
                try (ObjectSnapshot now = store().open(KEY).orElseThrow()) {
                    now.confirm();
                }
            }
        }
    }

    @Test
    void readers_whoConfirm_seeOldOrNew() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            put(filled(0, 40_000));
            AtomicBoolean done = new AtomicBoolean();
            List<Future<Integer>> readers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                readers.add(pool.submit(() -> {
                    int rounds = 0;
                    for (; !done.get() || rounds < 5; rounds++) {
                        readWhole();
                    }
                    return rounds;
                }));
            }
            try {
                changeOften();
            } finally {
                done.set(true);
            }
            for (Future<Integer> reader : readers) {
                assertTrue(reader.get() >= 5);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * Changes the object repeatedly. After each change, all its bytes have one value. Every 50th change replaces the
     * object, the others patch it in two halves, and every third also appends.
     */
    private void changeOften() throws IOException {
        int size = 40_000;
        for (int i = 1; i < Rounds.of(100); i++) {
            if (i % 50 == 0) {
                put(filled(i, size));
                continue;
            }
            byte[] half = filled(i, size / 2);
            List<Piece> appended = i % 3 == 0 ? List.of(literal(filled(i, 100))) : List.of();
            patch(PatchSamples.of(size, appended, write(0, half), write(size / 2, filled(i, size - size / 2))));
            size += appended.size() * 100;
        }
    }

    private static byte[] filled(int value, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Reads the object in pieces until a read meets no change, and checks that all bytes have one value. */
    private void readWhole() throws IOException {
        while (true) {
            try (ObjectSnapshot snapshot = store().open(KEY).orElseThrow()) {
                byte[] found = new byte[(int) snapshot.size()];
                for (int at = 0; at < found.length; at += 5000) {
                    snapshot.read(at, ByteBuffer.wrap(found, at, Math.min(5000, found.length - at)));
                }
                snapshot.confirm();
                assertEquals(-1, Arrays.mismatch(filled(found[0], found.length), found), "torn");
                return;
            } catch (ObjectChangedException e) {
                continue;
            }
        }
    }

    @Test
    void recover_withNothingToDo_saysSo() throws IOException {
        put(StoreSuiteHelpers.bytes(1, 10));
        assertEquals(Recovered.NOTHING, patches().recover("a", "a/c/none"));
        assertEquals(Recovered.NOTHING, patches().recover("a", KEY));
        patch(PatchSamples.of(10, List.of(literal(new byte[3]))));
        assertEquals(Recovered.NOTHING, patches().recover("a", KEY));
        store().delete(KEY);
        assertEquals(Recovered.NOTHING, patches().recover("a", KEY));
    }

    @Test
    void openToChange_readsAsOpenDoes() throws IOException {
        assertTrue(store().openToChange(KEY).isEmpty());
        put(StoreSuiteHelpers.bytes(1, 10));
        try (ObjectSnapshot snapshot = store().openToChange(KEY).orElseThrow()) {
            assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), StoreSuiteHelpers.read(snapshot));
        }
    }

    @Test
    void deleteAll_leavesNothingOfPatches() throws IOException {
        put(StoreSuiteHelpers.bytes(1, 10));
        patch(PatchSamples.of(10, List.of(literal(new byte[3])), write(0, new byte[1])));
        if (!store().can(TreeDeletions.class)) {
            return;
        }
        store().deleteAll("a");
        assertListed(Map.of(), "", "files of patches below a removed prefix");
        put(StoreSuiteHelpers.bytes(2, 10));
        patch(PatchSamples.of(10, List.of(literal(new byte[3]))));
        assertEquals(13, get().length);
    }
}
