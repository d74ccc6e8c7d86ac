package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads byte ranges of one open object, for several merged reads at once. Immutable. */
record SpanReader(ReadContext context) {
    /** The largest read into one buffer, which cannot have more than 2^31-1 bytes. */
    private static final int PIECE = 1 << 30;
    /**
     * The largest buffer outside the heap. Direct memory is scarce and slow to reclaim, so only buffers that are reused
     * often are direct.
     */
    private static final int MAX_DIRECT = 4 << 20;

    /**
     * Returns the smallest range that covers all tasks, limited to the object's {@code size}. A slice past the end
     * fails.
     */
    ByteRange.Slice span(ByteRange range, List<ReadTask> tasks, long size) {
        if (range instanceof ByteRange.Slice) {
            long start = Long.MAX_VALUE;
            long end = 0;
            for (ReadTask task : tasks) {
                ByteRange.Slice slice = (ByteRange.Slice) task.request().range();
                if (slice.end() > size) {
                    throw failed(
                            task,
                            slice,
                            new CorruptDataException(
                                    "expected an object of at least " + slice.end() + " bytes, found " + size));
                }
                start = Math.min(start, slice.offset());
                end = Math.max(end, slice.end());
            }
            return new ByteRange.Slice(start, end - start);
        }
        if (range instanceof ByteRange.Whole w && w.refuses(size)) {
            throw failed(
                    tasks.get(0),
                    range,
                    new CorruptDataException("expected at most " + w.maxBytes() + " bytes, found " + size));
        }
        long length = size;
        if (range instanceof ByteRange.Suffix suffix) {
            length = Math.min(suffix.length(), size);
        } else if (((ByteRange.Whole) range).skips(size)) {
            length = 0; // the reader wants no bytes of an object of this size
        }
        return new ByteRange.Slice(size - length, length);
    }

    /** Reads a span into memory of {@code scratch}. */
    Bytes read(ObjectSnapshot snapshot, ByteRange.Slice span, ReadTask firstTask, Scratch scratch) {
        try {
            return read(snapshot, span, scratch);
        } catch (Exception e) {
            throw failed(firstTask, span, e);
        }
    }

    private static Bytes read(ObjectSnapshot snapshot, ByteRange.Slice span, Scratch scratch) throws IOException {
        List<Bytes> pieces = new ArrayList<>(1);
        for (long offset = 0; offset < span.length(); offset += PIECE) {
            int size = (int) Math.min(PIECE, span.length() - offset);
            ByteBuffer buffer =
                    size <= MAX_DIRECT ? scratch.borrowDirect(size) : ByteBuffer.wrap(scratch.borrow(size), 0, size);
            snapshot.read(span.offset() + offset, buffer);
            buffer.flip();
            pieces.add(Bytes.of(buffer));
        }
        return pieces.size() == 1 ? pieces.get(0) : Bytes.concat(pieces);
    }

    /** Returns the part of a span's bytes for one task. */
    static Bytes slice(Bytes bytes, ByteRange.Slice span, ReadTask task) {
        return task.request().range() instanceof ByteRange.Slice s
                ? bytes.slice(s.offset() - span.offset(), s.length())
                : bytes;
    }

    /** Returns the failure of a unit of work, with the location of the bytes. */
    WorkUnit.Failed failed(ReadTask task, ByteRange range, Throwable thrown) {
        return new WorkUnit.Failed(
                Failures.ofStore(thrown, context.array(), task.location(), range.toString()), List.of(task));
    }
}
