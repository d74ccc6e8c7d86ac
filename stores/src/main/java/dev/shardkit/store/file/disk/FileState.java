package dev.shardkit.store.file.disk;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The attributes of a file that distinguish its versions. Programs can set the modification time back, but not the
 * change time (ctime), which the system sets at each write. The system also sets it when names, mode or owner of the
 * file change, so the same content may have several states. Immutable.
 *
 * @param kind the kind of file
 * @param fileKey identifies the file among existing files, such as device and inode; empty if Java shows no identity
 * @param size in bytes
 * @param modified the modification time, which programs can set
 * @param changed the change time; empty if Java does not expose it (Windows, file systems in memory)
 * @param device the number of the file's device; empty if Java does not expose it
 */
public record FileState(
        Kind kind,
        Optional<Object> fileKey,
        long size,
        FileTime modified,
        Optional<FileTime> changed,
        Optional<Object> device) {
    private static final boolean HAS_CHANGE_TIME =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    private static final String ATTRIBUTES = "unix:isRegularFile,isDirectory,fileKey,size,lastModifiedTime,ctime,dev";

    /** The kinds of files. */
    public enum Kind {
        FILE,
        DIRECTORY,
        OTHER
    }

    /** Returns the state of the file at {@code path}; follows links. */
    public static FileState of(Path path) throws IOException {
        if (HAS_CHANGE_TIME && path.getFileSystem() == FileSystems.getDefault()) {
            Map<String, Object> attributes = Files.readAttributes(path, ATTRIBUTES);
            return new FileState(
                    kind((Boolean) attributes.get("isRegularFile"), (Boolean) attributes.get("isDirectory")),
                    Optional.ofNullable(attributes.get("fileKey")),
                    (Long) attributes.get("size"),
                    (FileTime) attributes.get("lastModifiedTime"),
                    Optional.of((FileTime) attributes.get("ctime")),
                    Optional.ofNullable(attributes.get("dev")));
        }
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileState(
                kind(attributes.isRegularFile(), attributes.isDirectory()),
                Optional.ofNullable(attributes.fileKey()),
                attributes.size(),
                attributes.lastModifiedTime(),
                Optional.empty(),
                Optional.empty());
    }

    private static Kind kind(boolean file, boolean directory) {
        return file ? Kind.FILE : directory ? Kind.DIRECTORY : Kind.OTHER;
    }

    /** Returns the version of a file in this state. */
    public String version() {
        String version = contentVersion();
        return changed.map(time -> version + "/" + text(time)).orElse(version);
    }

    /** Returns the version without the change time, which also changes with the names of the file. */
    public String contentVersion() {
        return fileKey.map(Object::toString).orElse("null") + "/" + size + "/" + text(modified);
    }

    private static String text(FileTime time) {
        Instant instant = time.toInstant();
        return instant.getEpochSecond() + "." + instant.getNano();
    }
}
