package dev.shardkit.it.hdf5;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Arrays;
import java.util.List;

/** Reads of a file with changed bytes: elements or a declared error with a message, never another error. */
final class DamagedFile {
    private DamagedFile() {}

    /**
     * Reads datasets, and returns how many reads, or opening the file, were refused.
     *
     * @param longest the longest dimension that is read: a changed shape may be huge
     */
    static int refusals(String location, List<String> datasets, long longest) {
        int refused = 0;
        try (Store store = Zarr.openStore(location, ZarrOptions.defaults())) {
            for (String dataset : datasets) {
                try (ZarrArray array = Zarr.openArray(store, dataset, ZarrOptions.defaults())) {
                    if (Arrays.stream(array.shape()).allMatch(length -> length <= longest)) {
                        array.read();
                    }
                } catch (ZarrException e) {
                    assertFalse(e.getMessage().isBlank());
                    refused++;
                }
            }
        } catch (ZarrException e) {
            assertFalse(e.getMessage().isBlank());
            refused++;
        }
        return refused;
    }
}
