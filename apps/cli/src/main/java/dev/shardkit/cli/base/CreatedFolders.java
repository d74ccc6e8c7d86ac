package dev.shardkit.cli.base;

import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Removes local folders that a failed command created for a new node. Immutable. */
final class CreatedFolders {
    /** The root folder of the store; null if the store is not local. */
    private final @Nullable Path folder;
    /** The nearest folder at or above {@code folder} that existed before the command. */
    private final @Nullable Path existing;

    private CreatedFolders(@Nullable Path folder) {
        this.folder = folder;
        this.existing = nearestExisting(folder);
    }

    /** Records which folders exist now, from the root of {@code store} upward. */
    static CreatedFolders before(Store store) {
        Optional<Path> folder = OutputLocationCheck.folder(store);
        return new CreatedFolders(folder.orElse(null));
    }

    /** Returns the nearest existing folder at or above {@code folder}. */
    private static @Nullable Path nearestExisting(@Nullable Path folder) {
        Path candidate = folder;
        while (candidate != null && !Files.exists(candidate)) {
            candidate = candidate.getParent();
        }
        return candidate;
    }

    /** Removes empty folders that did not exist before. */
    void removeEmpty() throws IOException {
        try {
            for (Path created = folder;
                    created != null
                            && !created.equals(existing)
                            && Files.isDirectory(created, LinkOption.NOFOLLOW_LINKS);
                    created = created.getParent()) {
                Files.delete(created);
            }
        } catch (DirectoryNotEmptyException e) {
            return; // files remain, possibly of another program, so the folders above are not empty either
        }
    }
}
