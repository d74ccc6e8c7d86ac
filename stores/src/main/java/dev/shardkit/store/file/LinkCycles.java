package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Refuses symbolic links through which a walk of a tree would not end. A link back to a folder above it makes endless
 * paths. Links to folders that contain further links multiply the paths: in a chain of forty folders, each with two
 * links to the next, there are 2^40 paths. Stateless.
 */
final class LinkCycles {
    /** The maximum number of links to folders in one path. */
    private static final int MAX_LINKS = 3;

    private LinkCycles() {}

    /**
     * Refuses a path that leads through one directory twice, or through many links to directories.
     *
     * @param root the root of the store
     * @param realRoot its real path
     * @param path a path in the store
     * @param real its real path
     */
    static void refuse(Path root, Path realRoot, Path path, Path real) throws IOException {
        if (path.equals(real) || !path.startsWith(root) || real.equals(realRoot.resolve(root.relativize(path)))) {
            return; // the path contains no links
        }
        Set<Path> visited = new HashSet<>();
        visited.add(realRoot);
        Path previous = realRoot;
        int links = 0;
        for (int nameCount = root.getNameCount() + 1; nameCount <= path.getNameCount(); nameCount++) {
            Path prefix = path.getRoot().resolve(path.subpath(0, nameCount));
            Path target = prefix.toRealPath();
            if (!visited.add(target)) {
                throw new StoreException("a symbolic link leads back to a folder above it: " + root.relativize(prefix)
                        + " in file:" + root + " is " + target);
            }
            boolean link = !target.equals(previous.resolve(prefix.getFileName()));
            if (link && Files.isDirectory(target) && ++links > MAX_LINKS) {
                throw new StoreException(root.relativize(prefix) + " in file:" + root + " leads through more than "
                        + MAX_LINKS + " symbolic links to folders (it is " + target
                        + "); replace one of these links by the folder that it leads to");
            }
            previous = target;
        }
    }
}
