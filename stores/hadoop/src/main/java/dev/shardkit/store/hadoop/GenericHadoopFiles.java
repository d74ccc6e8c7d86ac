package dev.shardkit.store.hadoop;

import dev.shardkit.store.Condition;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.WriteResult;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * The operations on all file systems of Hadoop except HDFS, for which {@link HdfsFiles} exists. A version is the ETag
 * if the file system has ETags, otherwise the time of the last change and the size. Only the local file system renames
 * a file over another in one step, so the others are read-only.
 */
final class GenericHadoopFiles implements FileSystemKind {
    private final FileSystem files;

    GenericHadoopFiles(FileSystem files) {
        this.files = files;
    }

    @Override
    public String version(FileStatus status) {
        String etag = status instanceof EtagSource source ? source.getEtag() : null;
        return etag == null || etag.isEmpty() ? status.getModificationTime() + "." + status.getLen() : etag;
    }

    @Override
    public OpenedFile open(Path path, Optional<String> pin) throws IOException {
        FileStatus status = files.getFileStatus(path);
        if (status.isDirectory()) {
            throw new FileNotFoundException("a folder");
        }
        String version = version(status);
        if (pin.isPresent() && !pin.get().equals(version)) {
            throw new ObjectChangedException(path + " has version " + version + ", expected " + pin.get());
        }
        return new OpenedFile(files.open(path), version, status.getLen());
    }

    @Override
    public boolean holdsColons() {
        return true;
    }

    @Override
    public Optional<Publishing> publishing() {
        return files instanceof RawLocalFileSystem ? Optional.of(new Local()) : Optional.empty();
    }

    /** Publishes local files. */
    private final class Local implements Publishing {
        @Override
        public Set<Condition.Kind> honours() {
            return Set.of(Condition.Kind.ANY);
        }

        @Override
        public FSDataOutputStream create(Path temporary, boolean forced) throws IOException {
            return files.create(temporary, false);
        }

        @Override
        public WriteResult rename(Path temporary, Path path, Condition condition) throws IOException {
            try {
                FileStatus existing = files.getFileStatus(path);
                if (existing.isDirectory()) {
                    throw new FileAlreadyExistsException("a folder is in the way");
                }
                makeNewer(temporary, existing.getModificationTime());
            } catch (FileNotFoundException e) {
                // There is no file to replace.
            }
            if (!files.rename(temporary, path)) {
                throw new IOException("the file system refused to rename " + temporary.getName());
            }
            return WriteResult.DONE;
        }

        /**
         * Gives a file a later time than {@code time}, that of the replaced file, because a version contains the time
         * in milliseconds.
         */
        private void makeNewer(Path temporary, long time) throws IOException {
            if (files.getFileStatus(temporary).getModificationTime() <= time) {
                files.setTimes(temporary, time + 1, -1);
            }
        }
    }
}
