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

/** Reads and removes the index at the end of an adopted file, by the file's own path. Stateless. */
final class AppendedIndex {
    private AppendedIndex() {}

    /** Returns the size of the file before it was adopted; empty if it is not adopted. */
    static OptionalLong read(Path file, FileAdoption shards) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Scratch scratch = new Scratch()) {
            return PlanRun.run(
                    shards.fileSize(Source.stored(file.getFileName().toString())),
                    scratch,
                    request -> answer(channel, request));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ReadResult answer(FileChannel channel, ReadRequest<?> request) {
        try {
            long size = channel.size();
            long n = request.range() instanceof ByteRange.Suffix s ? Math.min(s.length(), size) : 0;
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(n));
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, size - n + bytes.position()) < 0) {
                    throw new EOFException("expected " + size + " bytes, found fewer");
                }
            }
            return new ReadResult.Found(Bytes.of(bytes.flip()), size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Truncates a file of {@code before} bytes to {@code size} bytes. */
    static void truncate(Path file, long size, long before) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.size() != before) {
                throw new StoreException("expected " + before + " bytes in " + file + ", found " + channel.size()
                        + ": another program is writing it");
            }
            channel.truncate(size);
            channel.force(true);
        }
    }
}
