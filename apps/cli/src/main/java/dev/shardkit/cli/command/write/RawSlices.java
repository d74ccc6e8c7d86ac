package dev.shardkit.cli.command.write;

import dev.shardkit.NdArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.RawFileCheck;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * Reads slices of the array in a raw file, in batches. A slice consists of the elements at one index of a dimension;
 * {@link RawSliceFormat} defines this dimension and the elements. Each instance reads a file once.
 */
final class RawSlices implements AutoCloseable {
    private final RawSliceFormat format;
    private final FileChannel file;
    private final long sliceCount;

    private RawSlices(RawSliceFormat format, String name, FileChannel file) throws IOException {
        this.format = format;
        this.file = file;
        if (file.size() % format.sliceBytes() != 0) {
            throw new UsageException(name + " does not hold whole slices: expected a multiple of " + format.sliceBytes()
                    + " bytes, found " + file.size());
        }
        this.sliceCount = file.size() / format.sliceBytes();
    }

    /**
     * Opens a file.
     *
     * @throws UsageException if the file does not hold whole slices
     */
    static RawSlices open(RawSliceFormat format, InputFile input) throws IOException {
        RawFileCheck.requireRaw(input.path());
        FileChannel file = FileChannel.open(input.path(), StandardOpenOption.READ);
        try {
            return new RawSlices(format, input.name(), file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Passes all slices to {@code target} in order, in batches. */
    void forEachBatch(Consumer<NdArray> target) throws IOException {
        long batchSize = format.slicesPerBatch();
        for (long first = 0; first < sliceCount; first += batchSize) {
            target.accept(readSlices(first, (int) Math.min(batchSize, sliceCount - first)));
        }
    }

    /** Reads consecutive slices. */
    private NdArray readSlices(long first, int count) throws IOException {
        ByteBuffer bytes = format.allocate(count);
        // The slices interleave in the file: for each index of the outer dimensions, it has one run of each slice.
        long runBytes = format.sliceBytes() / format.outerCount();
        for (long outer = 0; outer < format.outerCount(); outer++) {
            bytes.limit(Math.toIntExact((outer + 1) * count * runBytes));
            long offset = (outer * sliceCount + first) * runBytes;
            while (bytes.hasRemaining()) {
                int read = file.read(bytes, offset);
                if (read < 0) {
                    throw new EOFException("the file became shorter during the read");
                }
                offset += read;
            }
        }
        return format.decode(bytes.flip(), count);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
