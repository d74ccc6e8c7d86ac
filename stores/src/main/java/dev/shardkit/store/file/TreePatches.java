package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Durability;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.Patch;
import dev.shardkit.store.file.patch.Recovery;
import java.io.IOException;
import java.nio.file.Path;

/** Patches objects of a store in place, and recovers from interrupted patches. Thread-safe. */
record TreePatches(
        StoreDirectory tree,
        DirectoryEntries entries,
        PatchSupport abilities,
        IdleJournals idlePlaces,
        LockedKeys locked) {
    /** See {@link Patches#patch}. */
    void patch(String key, Edit.Patch patch, Durability durability) {
        Path path = tree.path(key);
        if (!abilities.patches()) {
            throw new UnsupportedException(
                    "the store " + tree.describe() + " cannot change objects in place: its file system has no "
                            + "random access, or no times of microseconds");
        }
        try {
            Path real = locked.real(key, path);
            JournalDirectory place = JournalDirectory.of(real);
            try {
                if (durability == Durability.FORCED) {
                    entries.force(real);
                }
                Patch.Earlier earlier = locked.earlier(key);
                locked.settled(key, false); // a patch that fails may leave its journal
                new Patch(key + " in " + tree.describe(), place, patch, durability, earlier).run();
                locked.settled(key, earlier == Patch.Earlier.SETTLED);
            } finally {
                idlePlaces.add(place);
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
            Patches.Recovered found = Recovery.all(JournalDirectory.of(locked.place(key, path)), name);
            locked.settled(key, found == Patches.Recovered.NOTHING);
            return found;
        });
    }

    /** Removes the empty folders of journals that this store has made. */
    void leave() {
        idlePlaces.leave();
    }
}
