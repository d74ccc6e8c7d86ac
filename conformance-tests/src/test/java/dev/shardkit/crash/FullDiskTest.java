package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ZarrArray;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * A file system that is really full. {@code SHARDKIT_SMALL_DISK} names an empty folder on one of a few megabytes
 * ({@code mount -t tmpfs -o size=6m tmpfs FOLDER}); without it there is nothing to try.
 */
@Timeout(180)
@EnabledIfEnvironmentVariable(named = "SHARDKIT_SMALL_DISK", matches = ".+")
class FullDiskTest {
    private final Path disk = Path.of(System.getenv().getOrDefault("SHARDKIT_SMALL_DISK", ""));
    private final Tally tally = new Tally();
    private int refused;

    @Test
    void updates_onAFullDisk_failWithOurError_andLeaveOldOrNew() throws IOException {
        for (Setup setup : Setup.all(Size.LARGE)) {
            Path root = disk.resolve("root");
            FileStore store = FileStore.at(root);
            try (ZarrArray array = setup.create(store, Durability.ATOMIC)) {
                Model model = new Model(setup);
                Step whole = new Step(setup, 3, Box.of(setup.shape()), false);
                whole.write(array);
                model.apply(whole);
                int version = 3;
                for (int free : new int[] {0, 4, 12, 40, 100, 200}) {
                    version += 3; // noise, which does not get smaller
                    update(array, model, Step.chunk(setup, version, version % 32), free);
                }
                array.delete();
            }
            store.deleteAll("");
        }
        System.out.println("full disk: " + refused + " updates refused; " + tally);
        assertEquals(List.of(), tally.problems());
        assertTrue(refused > 20, refused + " were refused");
    }

    private void update(ZarrArray array, Model model, Step step, int freeKiB) throws IOException {
        Path filler = disk.resolve("filler");
        fill(filler, freeKiB);
        try {
            step.write(array);
            model.apply(step);
        } catch (ZarrException e) {
            assertTrue(e.getMessage().contains("No space left"), e.getMessage());
            refused++;
        }
        Files.delete(filler);
        List<Step> touches = List.of(
                Step.touch(step.setup(), 1000 + step.version(), 0, 1),
                Step.touch(step.setup(), 1000 + step.version(), 1, 1));
        touches.forEach(t -> t.write(array));
        model.check(array, step, touches, tally);
    }

    /** Takes all but so much of the disk. */
    private void fill(Path filler, int freeKiB) throws IOException {
        byte[] block = new byte[1024];
        try (OutputStream out = Files.newOutputStream(filler)) {
            long blocks = Files.getFileStore(disk).getUsableSpace() / block.length - freeKiB;
            for (long i = 0; i < blocks; i++) {
                out.write(block);
            }
        } catch (IOException e) {
            return; // full before its time
        }
    }
}
