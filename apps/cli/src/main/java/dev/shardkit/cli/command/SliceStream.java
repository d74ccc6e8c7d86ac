package dev.shardkit.cli.command;

import dev.shardkit.SliceWriter;
import dev.shardkit.files.RawFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends slices of the first dimension while their producer sends them. Slices that have arrived are written when the
 * input pauses, and a second after they arrived, so that readers see those of a slow producer. Those of a fast producer
 * are written in batches.
 *
 * @param form the form of the slices, in the first dimension
 * @param in the input
 * @param name what messages call it
 */
record SliceStream(RawSliceFormat form, InputStream in, String name) {
    /** How long an input sends nothing until its slices are written. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long slices wait for a full batch while the input sends without a pause. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Appends all slices of the input. */
    void appendTo(SliceWriter slices) throws IOException {
        ByteBuffer bytes = form.buffer(form.batch());
        boolean isBegin = true;
        boolean isWaiting = false; // the writer may hold slices
        long start = System.nanoTime(); // of the wait for a full batch
        while (true) {
            boolean isHeld = isWaiting || bytes.position() >= form.bytes();
            if (!isHeld) {
                start = System.nanoTime();
            } else if (System.nanoTime() - start >= MAX_WAIT_NANOS || hasPaused()) {
                write(bytes, slices);
                slices.flush();
                isBegin = false;
                isWaiting = false;
                start = System.nanoTime();
            }
            int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
            if (read < 0) {
                break;
            }
            bytes.position(bytes.position() + read);
            if (isBegin) {
                RawFiles.check(name, bytes.duplicate().flip());
            }
            if (!bytes.hasRemaining()) {
                write(bytes, slices);
                isBegin = false;
                isWaiting = true;
                start = System.nanoTime();
            }
        }
        write(bytes, slices);
        slices.flush();
        if (bytes.position() > 0) {
            throw new EOFException(name + " does not hold whole slices: expected " + form.bytes()
                    + " bytes for the last slice, found " + bytes.position());
        }
    }

    /** Whether the input sends nothing for a while, or has ended. */
    private boolean hasPaused() throws IOException {
        long end = System.nanoTime() + PAUSE_NANOS;
        while (in.available() == 0) {
            if (System.nanoTime() - end > 0) {
                return true;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return false;
    }

    /** Writes the whole slices before the buffer's position, and moves the rest to its begin. */
    private void write(ByteBuffer bytes, SliceWriter slices) {
        int count = (int) (bytes.position() / form.bytes());
        int end = bytes.position();
        int whole = (int) (count * form.bytes());
        if (count > 0) {
            slices.write(form.slices(bytes.flip().limit(whole), count));
        }
        bytes.limit(end).position(whole);
        bytes.compact();
    }
}
