package dev.shardkit.store.zip;

import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

/** The paths of unfinished files beside an archive. The file store never lists names with this prefix. */
final class DraftPaths {
    private static final SecureRandom RANDOM = new SecureRandom();
    /** The time after which an unmodified draft is treated as left by a killed writer. */
    private static final Duration STALE = Duration.ofDays(1);

    private DraftPaths() {}

    /** Returns the path of a new draft of {@code archive}. Removes drafts that killed writers left. */
    static Path newDraft(Path archive) throws IOException {
        Path folder = archive.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        String prefix = prefix(archive);
        FileTime stale = FileTime.from(Instant.now().minus(STALE));
        try (DirectoryStream<Path> drafts = Files.newDirectoryStream(
                folder, path -> path.getFileName().toString().startsWith(prefix))) {
            for (Path path : drafts) {
                if (Files.isRegularFile(path) && Files.getLastModifiedTime(path).compareTo(stale) < 0) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (NoSuchFileException e) {
            // another writer has published or removed a draft
        }
        return folder.resolve(prefix + Long.toHexString(RANDOM.nextLong()));
    }

    static String prefix(Path archive) {
        return Keys.RESERVED + "-zip-" + archive.getFileName() + "-";
    }
}
