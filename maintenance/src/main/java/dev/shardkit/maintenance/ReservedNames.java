package dev.shardkit.maintenance;

import dev.shardkit.session.UnfinishedNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Names that begin with {@code __}. Zarr reserves them for extensions, so other programs may use them too. Stateless.
 */
final class ReservedNames {
    /** The names of shardkit's own files and folders, and how the others begin. */
    private static final Pattern OURS = Pattern.compile(
            "__relayout|__access|__concatenated-zarr\\.json|__concatenation-probe|__probe-.*|__shardkit.*|"
                    + UnfinishedNode.COPY_MARK + "|" + UnfinishedNode.CONVERSION_MARK + "|"
                    + UnfinishedNode.CONCATENATION_MARK);

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
                return !OURS.matcher(name).matches();
            }
        }
        return false;
    }
}
