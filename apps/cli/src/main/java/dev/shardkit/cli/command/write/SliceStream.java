package dev.shardkit.cli.command.write;

import dev.shardkit.SliceWriter;
import dev.shardkit.files.RawFileCheck;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends slices of the first dimension while their producer sends them. Slices are written when a batch is full, when
 * the input pauses, and at the latest a second after they arrived. So readers soon see the slices of a slow producer.
 *
 * @param format the format of the slices, across the first dimension
 * @param in the input
 * @param name the name of the input in messages
 */
record SliceStream(RawSliceFormat format, InputStream in, String name) {
    /** The length of a pause after which slices are written. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The maximum time that slices wait for a full batch. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The interval at which a pause of the input is checked. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Appends all slices of the input. */
    void appendTo(SliceWriter slices) throws IOException {
        ByteBuffer bytes = format.allocate(format.slicesPerBatch());
        boolean isFirstBatch = true;
        boolean writerHoldsSlices = false; // whether the writer may hold unwritten slices
        long waitStart = System.nanoTime(); // when the wait for a full batch began
        while (true) {
            boolean hasSlices = writerHoldsSlices || bytes.position() >= format.sliceBytes();
            if (!hasSlices) {
                waitStart = System.nanoTime();
            } else if (System.nanoTime() - waitStart >= MAX_WAIT_NANOS || hasPaused()) {
                write(bytes, slices);
                slices.flush();
                isFirstBatch = false;
                writerHoldsSlices = false;
                waitStart = System.nanoTime();
            }
            int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
            if (read < 0) {
                break;
            }
            bytes.position(bytes.position() + read);
            if (isFirstBatch) { // refuses an npy file before anything is written
                RawFileCheck.requireRaw(name, bytes.duplicate().flip());
            }
            if (!bytes.hasRemaining()) {
                write(bytes, slices);
                isFirstBatch = false;
                writerHoldsSlices = true;
                waitStart = System.nanoTime();
            }
        }
        write(bytes, slices);
        slices.flush();
        if (bytes.position() > 0) {
            throw new EOFException(name + " does not hold whole slices: expected " + format.sliceBytes()
                    + " bytes for the last slice, found " + bytes.position());
        }
    }

    /** Whether the input sends nothing for the length of a pause, or has ended. */
    private boolean hasPaused() throws IOException {
        long deadline = System.nanoTime() + PAUSE_NANOS;
        while (in.available() == 0) {
            if (System.nanoTime() - deadline > 0) {
                return true;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return false;
    }

    /** Writes the whole slices before the buffer's position, and moves the remaining bytes to the start. */
    private void write(ByteBuffer bytes, SliceWriter slices) {
        int count = (int) (bytes.position() / format.sliceBytes());
        int endPosition = bytes.position();
        int wholeBytes = (int) (count * format.sliceBytes());
        if (count > 0) {
            slices.write(format.decode(bytes.flip().limit(wholeBytes), count));
        }
        bytes.limit(endPosition).position(wholeBytes);
        bytes.compact();
    }
}
