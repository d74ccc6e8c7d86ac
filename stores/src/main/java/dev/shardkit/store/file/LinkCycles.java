package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Refuses symbolic links that lead back to a folder above them: a walk down such paths would never end. Stateless. */
final class LinkCycles {
    private LinkCycles() {}

    /**
     * Refuses a path that leads through one directory twice.
     *
     * @param root the root of the store
     * @param realRoot its real path
     * @param path a path in the store
     * @param real its real path
     */
    static void refuse(Path root, Path realRoot, Path path, Path real) throws IOException {
        if (!path.startsWith(root) || real.equals(realRoot.resolve(root.relativize(path)))) {
            return; // without links
        }
        Set<Path> above = new HashSet<>();
        above.add(realRoot);
        for (int names = root.getNameCount() + 1; names <= path.getNameCount(); names++) {
            Path step = path.getRoot().resolve(path.subpath(0, names));
            if (!above.add(step.toRealPath())) {
                throw new StoreException("a symbolic link leads back to a folder above it: " + root.relativize(step)
                        + " in file:" + root + " is " + step.toRealPath());
            }
        }
    }
}
