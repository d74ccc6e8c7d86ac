package dev.shardkit.maintenance.adopt;

import dev.shardkit.spi.codec.FileAdoption;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Reads and removes the index that adoption has appended to a file of another program. Accesses the file by its own
 * path, not through a store. Stateless.
 */
final class AppendedIndex {
    private AppendedIndex() {}

    /** Returns the size of the file before it was adopted; empty if it is not adopted. */
    static OptionalLong read(Path file, FileAdoption shards) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Scratch scratch = new Scratch()) {
            return PlanRun.run(
                    shards.fileSize(Source.stored(file.getFileName().toString())),
                    scratch,
                    request -> readSuffix(channel, request));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Reads the end of the file, the only range that the plan requests. */
    private static ReadResult readSuffix(FileChannel channel, ReadRequest<?> request) {
        try {
            long size = channel.size();
            long length = request.range() instanceof ByteRange.Suffix suffix ? Math.min(suffix.length(), size) : 0;
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, size - length + bytes.position()) < 0) {
                    throw new EOFException("expected " + size + " bytes, found fewer");
                }
            }
            return new ReadResult.Found(Bytes.of(bytes.flip()), size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Truncates a file to {@code size} bytes. Throws if it does not have {@code sizeBefore} bytes. */
    static void truncate(Path file, long size, long sizeBefore) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.size() != sizeBefore) {
                throw new StoreException("expected " + sizeBefore + " bytes in " + file + ", found " + channel.size()
                        + ": another program is writing it");
            }
            channel.truncate(size);
            channel.force(true);
        }
    }
}
