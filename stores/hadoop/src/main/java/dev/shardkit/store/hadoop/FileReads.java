package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads files of Hadoop's file systems by calls that block.
 *
 * @param kind opens the files
 */
record FileReads(FileSystem files, FileSystemKind kind) {
    /** The largest array that a read allocates. */
    private static final int LARGEST = 1 << 30;
    /** The number of bytes to read between two checks for cancellation. */
    private static final int STEP = 8 << 20;

    /** Reads a range of one version of a file. */
    FetchResult read(Path path, ByteRange range, Optional<String> pin) {
        Optional<String> version = pin;
        try (OpenedFile file = kind.open(path, pin)) {
            version = Optional.of(file.version());
            long size = file.size();
            Bytes bytes = bytes(file.stream(), Slice.of(range, size, path));
            if (kind instanceof GenericHadoopFiles) {
                confirm(path, file.version());
            }
            return new FetchResult.Found(bytes, size, version);
        } catch (ZarrException e) {
            throw e;
        } catch (IOException e) {
            if (HadoopErrors.isAbsence(e)) {
                if (!isThere(path)) {
                    return new FetchResult.Absent();
                }
                throw new ObjectChangedException(path + " was removed and written again while it was read");
            }
            // HDFS removes the blocks of a replaced file, so the read fails; report the change instead.
            version.ifPresent(pinned -> confirm(path, pinned));
            throw HadoopErrors.of("reading", path, e);
        } catch (RuntimeException e) { // Hadoop reports hosts that have no address in this way
            throw HadoopErrors.of("reading", path, e);
        }
    }

    /** Returns whether a file that was not found exists now. */
    private boolean isThere(Path path) {
        try {
            return !files.getFileStatus(path).isDirectory();
        } catch (IOException e) {
            if (HadoopErrors.isAbsence(e)) {
                return false;
            }
            throw HadoopErrors.of("reading", path, e);
        }
    }

    /** Throws {@code ObjectChangedException} unless the file still has this version. */
    private void confirm(Path path, String version) {
        String current;
        try {
            FileStatus status = files.getFileStatus(path);
            current = status.isDirectory() ? "none" : kind.version(status);
        } catch (IOException e) {
            if (!HadoopErrors.isAbsence(e)) {
                throw HadoopErrors.of("reading", path, e);
            }
            current = "none";
        }
        if (!current.equals(version)) {
            throw new ObjectChangedException(path + " has version " + current + ", expected " + version);
        }
    }

    /** Reads a range. Checks for cancellation before each {@link #STEP} bytes. */
    private static Bytes bytes(FSDataInputStream in, Slice slice) throws IOException {
        List<Bytes> arrays = new ArrayList<>();
        for (long readBytes = 0; readBytes < slice.length(); ) {
            byte[] array = new byte[(int) Math.min(LARGEST, slice.length() - readBytes)];
            for (int offset = 0; offset < array.length; offset += STEP) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("cancelled");
                }
                in.readFully(slice.offset() + readBytes + offset, array, offset, Math.min(STEP, array.length - offset));
            }
            arrays.add(Bytes.of(array));
            readBytes += array.length;
        }
        return Bytes.concat(arrays);
    }

    /** The bytes of a range that exist. */
    private record Slice(long offset, long length) {
        static Slice of(ByteRange range, long size, Path path) {
            if (range instanceof ByteRange.Slice s && s.end() <= size) {
                return new Slice(s.offset(), s.length());
            } else if (range instanceof ByteRange.Suffix s) {
                long length = Math.min(s.length(), size);
                return new Slice(size - length, length);
            } else if (range instanceof ByteRange.Whole w && !w.refuses(size)) {
                return new Slice(0, w.skips(size) ? 0 : size);
            }
            throw new CorruptDataException("expected " + range + ", found " + path + " of " + size + " bytes");
        }
    }
}
