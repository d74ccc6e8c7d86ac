package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Puts and deletes single files by blocking calls of Hadoop. {@link HadoopWrites} offers them to the engine as futures,
 * with the checks of keys and conditions.
 */
record HadoopBlockingWrites(FileSystem files, FileSystemKind.Publishing publishing, HadoopLocation location) {
    /** The beginning of the names of files that are not yet published. */
    static final String TEMPORARY = "__shardkit-put-";

    /** Puts an object: writes a new file beside the object's file and renames it. */
    WriteResult put(String key, Content content, Condition condition, Durability durability) throws IOException {
        Path path = location.of(key);
        try {
            if (condition instanceof Condition.Absent && isFile(path)) {
                return WriteResult.NOT_MET; // known without writing
            }
        } catch (IOException e) {
            throw HadoopErrors.of("writing", path, e);
        }
        Path temporary = new Path(path.getParent(), TEMPORARY + UUID.randomUUID());
        try {
            write(temporary, replaced(path, content), content, durability);
        } catch (IOException e) {
            discard(temporary, path);
            throw HadoopErrors.of("writing", path, e);
        } catch (RuntimeException | Error e) { // the content has failed
            discard(temporary, path);
            throw e;
        }
        return publish(temporary, path, condition);
    }

    /** Returns the files that the new one replaces, whose permissions restrict it. */
    private List<Path> replaced(Path path, Content content) {
        List<Path> paths = new ArrayList<>(List.of(path));
        content.replaced(key -> paths.add(location.of(key)));
        return paths;
    }

    /** Writes the content to a temporary file, and checks its size. */
    private void write(Path temporary, List<Path> replaced, Content content, Durability durability) throws IOException {
        try (FSDataOutputStream out = publishing.create(temporary, durability == Durability.FORCED)) {
            publishing.restrict(temporary, replaced);
            CountingChannel channel = new CountingChannel(out, content.size());
            content.writeTo(channel);
            if (channel.written != content.size()) {
                throw mismatch(channel.written, content.size());
            }
            if (durability == Durability.FORCED) {
                out.hsync();
            }
        }
    }

    private static RuntimeException mismatch(long written, long size) {
        return new IllegalArgumentException("the content has at least " + written + " bytes, expected " + size);
    }

    /**
     * Renames the complete file to its name. If the rename fails, tries to delete the temporary file. If the file still
     * exists, the put has failed. If it is gone, the rename took effect before the error, or another call removed the
     * file: {@code deleteAll} of a folder above it, or repair of a put that took longer than a day.
     */
    private WriteResult publish(Path temporary, Path path, Condition condition) {
        try {
            WriteResult outcome = publishing.rename(temporary, path, condition);
            if (outcome instanceof WriteResult.NotMet) {
                discard(temporary, path);
            }
            return outcome;
        } catch (IOException e) {
            StoreException failure = HadoopErrors.of("writing", path, e);
            try {
                if (!files.delete(temporary, false)) {
                    return WriteResult.DONE;
                }
            } catch (IOException | RuntimeException second) {
                failure.addSuppressed(second);
                return new WriteResult.Unknown(failure);
            }
            removeEmptyFolders(path);
            throw failure;
        }
    }

    /** Deletes a temporary file, and the folders that it leaves empty. */
    private void discard(Path temporary, Path path) {
        boolean interrupted = Thread.interrupted(); // Hadoop's client would fail at once
        try {
            files.delete(temporary, false);
            removeEmptyFolders(path);
        } catch (IOException | RuntimeException e) {
            // The file stays, and `repair` reports it.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Deletes an object, and the folders that it leaves empty. */
    WriteResult delete(String key) {
        Path path = location.of(key);
        try {
            if (!isFile(path) || !files.delete(path, false)) {
                return WriteResult.NOTHING;
            }
        } catch (IOException | RuntimeException e) {
            throw HadoopErrors.of("deleting", path, e);
        }
        removeEmptyFolders(path);
        return WriteResult.DONE;
    }

    /**
     * Removes empty folders above a path, up to the root. A concurrent put loses nothing, because it creates its
     * folders in the same step as its file.
     */
    void removeEmptyFolders(Path firstFolder) {
        Path root = location.of("");
        try {
            for (Path folder = firstFolder.getParent();
                    folder != null && folder.depth() > root.depth() && files.delete(folder, false);
                    folder = folder.getParent()) {}
        } catch (IOException | RuntimeException e) {
            // The folder is not empty, so it stays.
        }
    }

    private boolean isFile(Path path) throws IOException {
        try {
            FileStatus status = files.getFileStatus(path);
            return !status.isDirectory();
        } catch (IOException e) {
            if (HadoopErrors.isAbsence(e)) {
                return false;
            }
            throw e;
        }
    }

    /** A channel that rejects more bytes than the content has announced. */
    private static final class CountingChannel implements WritableByteChannel {
        private static final int STEP = 1 << 16;

        private final FSDataOutputStream out;
        private final long maxBytes;
        private long written;

        CountingChannel(FSDataOutputStream out, long maxBytes) {
            this.out = out;
            this.maxBytes = maxBytes;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            written += count;
            if (written > maxBytes) {
                throw mismatch(written, maxBytes);
            }
            if (bytes.hasArray()) {
                out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), count);
                bytes.position(bytes.limit());
                return count;
            }
            byte[] chunk = new byte[Math.min(STEP, count)];
            while (bytes.hasRemaining()) {
                int length = Math.min(chunk.length, bytes.remaining());
                bytes.get(chunk, 0, length);
                out.write(chunk, 0, length);
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
