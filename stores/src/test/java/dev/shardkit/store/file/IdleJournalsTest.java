package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleJournalsTest {
    @TempDir
    private Path dir;

    @Test
    void leave_removesWhatIsEmptyAndNothingElse() throws IOException {
        JournalDirectory idle = JournalDirectory.of(dir.resolve("0"));
        Files.createDirectories(idle.own());
        JournalDirectory busy = JournalDirectory.of(dir.resolve("1"));
        Files.createDirectories(busy.own());
        Path journal = Files.createFile(busy.own().resolve("journal"));
        JournalDirectory gone = JournalDirectory.of(dir.resolve("2"));
        IdleJournals places = new IdleJournals();
        List.of(idle, busy, gone).forEach(places::add);
        places.leave();
        assertFalse(Files.exists(idle.own()));
        assertTrue(Files.exists(journal));
    }

    @Test
    void closingAStore_leavesNoPlaceOfItsPatches() throws IOException {
        Path file = Files.write(dir.resolve("0"), new byte[10]);
        try (FileStore store = FileStore.at(dir)) {
            store.patch(
                    "",
                    "0",
                    new Edit.Patch(
                            10,
                            List.of(),
                            List.of(new Edit.Write(2, Bytes.of(new byte[] {7}))),
                            Edit.Recovery.JOURNAL,
                            ShardWritePolicy.Strategy.IN_PLACE,
                            Optional.empty()),
                    Durability.ATOMIC);
        }
        assertFalse(Files.exists(JournalDirectory.of(file.toRealPath()).own()));
        assertTrue(Files.readAllBytes(file)[2] == 7);
    }
}
