package dev.shardkit.cli.base;

import dev.shardkit.cli.print.OutputPlace;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The local folders that a command makes for a new node: a failure removes them again. Immutable. */
final class MadeFolders {
    private final @Nullable Path folder;
    private final @Nullable Path existing;

    private MadeFolders(@Nullable Path folder) {
        this.folder = folder;
        this.existing = existing(folder);
    }

    /** Remembers which of the folders above and of the root of {@code store} exist. */
    static MadeFolders before(Store store) {
        Optional<Path> folder = OutputPlace.folder(store);
        return new MadeFolders(folder.orElse(null));
    }

    /** Returns the nearest folder that exists. */
    private static @Nullable Path existing(@Nullable Path folder) {
        Path there = folder;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there;
    }

    /** Removes the folders that did not exist before, if they are empty. */
    void removeEmpty() throws IOException {
        try {
            for (Path made = folder;
                    made != null && !made.equals(existing) && Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS);
                    made = made.getParent()) {
                Files.delete(made);
            }
        } catch (DirectoryNotEmptyException e) {
            return; // another program stores something there
        }
    }
}
