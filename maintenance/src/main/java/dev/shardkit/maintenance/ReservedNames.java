package dev.shardkit.maintenance;

import dev.shardkit.session.UnfinishedNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Consumer;

/**
 * Names that begin with {@code __}. Zarr reserves them for extensions, so other programs may use them too. Stateless.
 */
final class ReservedNames {
    /** How the names begin that shardkit gives to its own files and folders. */
    private static final List<String> OURS = List.of(
            "__shardkit",
            "__relayout",
            "__growth",
            "__access",
            "__concatenat",
            UnfinishedNode.COPY_MARK,
            UnfinishedNode.CONVERSION_MARK,
            UnfinishedNode.CONCATENATION_MARK);

    private ReservedNames() {}

    /** Reports the files below a folder whose path has a reserved name of another program. Stores do not list them. */
    static void filesOfOthers(Path folder, Consumer<String> found) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Path relative = folder.relativize(file);
                if (isOfOthers(relative)) {
                    found.accept(relative.toString().replace('\\', '/'));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // deleted in the meantime
                }
                throw e;
            }
        });
    }

    /** The topmost reserved name decides: a folder of another program may hold anything. */
    private static boolean isOfOthers(Path path) {
        for (Path part : path) {
            String name = part.toString();
            if (name.startsWith("__")) {
                return OURS.stream().noneMatch(name::startsWith);
            }
        }
        return false;
    }
}
