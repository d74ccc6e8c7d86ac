package dev.shardkit.store.hadoop;

import dev.shardkit.store.Condition;
import dev.shardkit.store.WriteResult;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The operations that differ between the file systems of Hadoop. They block and throw Hadoop's exceptions. Thread-safe.
 */
sealed interface FileSystemKind permits HdfsFiles, GenericHadoopFiles {
    /** Returns the version of a file. */
    String version(FileStatus status);

    /**
     * Opens a file; fails with a {@code FileNotFoundException} if there is none, or if it is a folder.
     *
     * @param pin the version that the file must have; empty for any version
     */
    OpenedFile open(Path path, Optional<String> pin) throws IOException;

    /** Returns whether a file's name can hold a colon. */
    boolean holdsColons();

    /** Returns how files are written; empty if the file system cannot replace a file in one step. */
    Optional<Publishing> publishing();

    /** Publishes new files in one step. */
    interface Publishing {
        /** Returns the supported conditions. */
        Set<Condition.Kind> honours();

        /**
         * Creates a file that is not yet published, and its folder.
         *
         * @param forced whether the bytes reach the devices before the stream is closed
         */
        FSDataOutputStream create(Path temporary, boolean forced) throws IOException;

        /**
         * Restricts the permissions of a new file to those that all files it replaces have.
         *
         * @param replaced the target, and the files whose data the new file contains; they may be missing
         */
        default void restrict(Path temporary, List<Path> replaced) throws IOException {}

        /**
         * Renames a complete file to its name. Returns {@link WriteResult#NOT_MET} if the condition does not hold.
         *
         * @param condition one that is supported
         */
        WriteResult rename(Path temporary, Path path, Condition condition) throws IOException;
    }
}
