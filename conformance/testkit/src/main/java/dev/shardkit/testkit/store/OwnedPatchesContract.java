package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.store.PatchSamples.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link Patches#openOwned} as tests: patches by a caller that is the only writer of an object. To test
 * a store, extend this class in addition to {@link PatchesContract}. A store whose {@code openOwned} returns nothing
 * passes.
 */
@Timeout(120)
public abstract class OwnedPatchesContract extends StoreSuite {
    private static final String KEY = "a/c/0/1";

    /** For subclasses. */
    protected OwnedPatchesContract() {}

    private Patches patches() {
        return ability(Patches.class);
    }

    private void put(byte[] value) throws IOException {
        put(KEY, value);
    }

    private byte[] get() throws IOException {
        return get(KEY).orElseThrow();
    }

    @Test
    void patch_byAnOwner_makesTheSameContent() throws IOException {
        Random random = new Random(8);
        byte[] content = StoreSuiteHelpers.bytes(1, 1000);
        put(content);
        for (int i = 0; i < Rounds.of(40); i++) {
            Edit.Patch patch = PatchSamples.random(random, content.length, i);
            String before;
            Optional<Patches.Owned> found = patches().openOwned(KEY);
            if (found.isEmpty()) {
                return;
            }
            try (Patches.Owned owned = found.get()) {
                assertArrayEquals(content, StoreSuiteHelpers.read(owned));
                before = owned.version();
                owned.patch(patch);
            }
            content = PatchSamples.applied(patch, content);
            assertEquals(-1, Arrays.mismatch(content, get()), "patch " + i + ": " + patch);
            try (ObjectSnapshot snapshot = store().open(KEY).orElseThrow()) {
                assertNotEquals(before, snapshot.version(), "patch " + i);
            }
            if (content.length > 50_000) {
                content = StoreSuiteHelpers.bytes(i, 1000);
                put(content);
            }
        }
    }

    @Test
    void patch_byAnOwner_refusesWhatDoesNotFit() throws IOException {
        byte[] content = StoreSuiteHelpers.bytes(6, 100);
        put(content);
        Optional<Patches.Owned> found = patches().openOwned(KEY);
        if (found.isPresent()) {
            try (Patches.Owned owned = found.get()) {
                assertThrows(
                        ObjectChangedException.class,
                        () -> owned.patch(PatchSamples.of(101, List.of(), write(0, new byte[1]))));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> owned.patch(PatchSamples.of(100, List.of(), write(99, new byte[2]))));
            }
        }
        assertArrayEquals(content, get());
        store().delete(KEY);
        assertTrue(patches().openOwned(KEY).isEmpty());
    }
}
