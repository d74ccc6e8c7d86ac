package dev.shardkit.store.reference;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A snapshot of a synthesized value ({@link SynthesizedValue}), which was computed from a file when it was opened. */
record SynthesizedSnapshot(ObjectSnapshot file, Bytes bytes) implements ObjectSnapshot {
    /** Computes a value from {@code file}, and closes the file if that fails. */
    static SynthesizedSnapshot of(SynthesizedValue value, ObjectSnapshot file) throws IOException {
        boolean isComplete = false;
        try {
            SynthesizedSnapshot snapshot = new SynthesizedSnapshot(file, bytes(value, file));
            isComplete = true;
            return snapshot;
        } finally {
            if (!isComplete) {
                file.close();
            }
        }
    }

    private static Bytes bytes(SynthesizedValue value, ObjectSnapshot file) throws IOException {
        SynthesizedValue.Step step = value.first();
        while (step instanceof SynthesizedValue.Read read) {
            List<Bytes> ranges = new ArrayList<>();
            for (ByteRange.Slice range : read.ranges()) {
                PiecesSnapshot.checkRange(range.offset(), range.length(), file.size());
                byte[] bytes = new byte[Math.toIntExact(range.length())];
                file.read(range.offset(), ByteBuffer.wrap(bytes));
                ranges.add(Bytes.of(bytes));
            }
            step = read.then().apply(ranges);
        }
        return ((SynthesizedValue.Made) step).bytes();
    }

    @Override
    public String version() {
        return file.version();
    }

    @Override
    public long size() {
        return bytes.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        bytes.slice(offset, target.remaining()).pieces().forEach(target::put);
    }

    @Override
    public void confirm() throws IOException {
        file.confirm();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
