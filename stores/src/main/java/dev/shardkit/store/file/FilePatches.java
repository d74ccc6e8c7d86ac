package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.JournaledPatch;
import dev.shardkit.store.file.patch.Recovery;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Changes bytes of a store's objects in place (patches), and recovers from interrupted patches. The mechanism is in
 * {@code dev.shardkit.store.file.patch}; this class maps keys to files. Thread-safe.
 *
 * @param tree the files of the store
 * @param entries forces directory entries
 * @param support determines whether the file system supports patches
 * @param idleJournals removes unused journals
 * @param lockedKeys the state of the objects that this process has locked
 */
record FilePatches(
        StoreDirectory tree,
        DirectoryEntrySync entries,
        PatchProbe support,
        IdleJournals idleJournals,
        LockedObjects lockedKeys) {
    /** See {@link Patches#patch}. */
    void patch(String key, Edit.Patch patch, Durability durability) {
        Path path = tree.path(key);
        if (!support.patches()) {
            throw new UnsupportedException(
                    "the store " + tree.describe() + " cannot change objects in place: its file system has no "
                            + "random access, or no times of microseconds");
        }
        try {
            Path real = lockedKeys.real(key, path);
            JournalDirectory journals = JournalDirectory.of(real);
            try {
                if (durability == Durability.FORCED) {
                    entries.force(real);
                }
                JournaledPatch.Earlier earlier = lockedKeys.earlier(key);
                lockedKeys.settled(key, false); // if the patch fails, its journal may remain
                new JournaledPatch(key + " in " + tree.describe(), journals, patch, durability, earlier).run();
                lockedKeys.settled(key, earlier == JournaledPatch.Earlier.SETTLED);
            } finally {
                idleJournals.add(journals);
            }
        } catch (IOException e) {
            if (tree.isAbsent(path, e)) {
                throw new ObjectChangedException("changing " + key + " in " + tree.describe() + ": found no file");
            }
            throw tree.failed("changing", key, e);
        }
    }

    /** See {@link Patches#recover}. */
    Patches.Recovered recover(String key) {
        Path path = tree.path(key);
        String name = key + " in " + tree.describe();
        return tree.call(path, "recovering", key, Patches.Recovered.NOTHING, () -> {
            Patches.Recovered recovered =
                    Recovery.recoverAll(JournalDirectory.of(lockedKeys.realOrFuture(key, path)), name);
            lockedKeys.settled(key, recovered == Patches.Recovered.NOTHING);
            return recovered;
        });
    }

    /** Removes the empty journal folders that this store has created. */
    void leave() {
        idleJournals.leave();
    }
}
