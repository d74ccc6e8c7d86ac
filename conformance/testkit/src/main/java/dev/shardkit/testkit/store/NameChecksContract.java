package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.NameChecks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link NameChecks} as tests: if the check accepts names, puts under these names succeed
 * and stay apart. To test a store, extend this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class NameChecksContract extends StoreSuite {
    /** Names that some file systems take for the same: in another case, in another Unicode form, with a last dot. */
    private static final List<List<String>> PAIRS =
            List.of(List.of("a", "b"), List.of("a", "A"), List.of("\u00e9", "e\u0301"), List.of("a", "a."));

    /** For subclasses. */
    protected NameChecksContract() {}

    private void check(String prefix, String... names) throws IOException {
        ability(NameChecks.class).check(prefix, Set.of(names));
    }

    /** Returns whether the check accepts the names. */
    private boolean accepts(String prefix, String... names) {
        try {
            check(prefix, names);
            return true;
        } catch (IOException | StoreException | IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void pairs_areBothStored_orRefusedBefore() throws IOException {
        for (int i = 0; i < PAIRS.size(); i++) {
            String prefix = "g" + i;
            List<String> pair = PAIRS.get(i);
            if (accepts(prefix, pair.get(0), pair.get(1))) {
                for (String name : pair) {
                    put(prefix + "/" + name + "/zarr.json", StoreSuiteHelpers.bytes(name.hashCode(), 10));
                }
                for (String name : pair) {
                    byte[] expected = StoreSuiteHelpers.bytes(name.hashCode(), 10);
                    assertArrayEquals(
                            expected, get(prefix + "/" + name + "/zarr.json").orElseThrow(), name);
                }
            }
        }
    }

    @Test
    void check_storesNothing() throws IOException {
        for (List<String> pair : PAIRS) {
            accepts("", pair.get(0), pair.get(1));
            accepts("deep/er", pair.get(0), pair.get(1));
        }
        assertListed(Map.of(), "", "what checks have left");
    }

    @Test
    void namesThatPutTakes_pass() throws IOException {
        check("");
        check("", "a");
        check("a/b", "c", "d e", "1");
    }

    @Test
    void tooLongName_isRefusedByBoth() {
        String name = "n".repeat(300);
        Optional<Exception> refusal = Optional.empty();
        try {
            put(name + "/zarr.json", new byte[1]);
        } catch (IOException | StoreException | IllegalArgumentException e) {
            refusal = Optional.of(e);
        }
        if (refusal.isPresent()) {
            assertThrows(refusal.get().getClass(), () -> check("", "a", name));
        }
    }
}
