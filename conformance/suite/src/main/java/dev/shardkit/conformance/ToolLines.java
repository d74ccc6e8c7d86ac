package dev.shardkit.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads the lines that a batch tool prints, on a thread of its own, into a queue. The queue is short, so a tool that
 * prints too much is blocked. One thread takes the lines.
 */
final class ToolLines implements AutoCloseable {
    /** The maximum number of bytes that a tool may print before its answer to a row. */
    static final int LIMIT = 16 << 20;

    /** The maximum number of lines in the queue. */
    private static final int WAITING = 64;
    /** The maximum number of bytes in a line; longer lines are divided. */
    private static final int LONGEST = 1 << 20;

    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING);
    private final Thread thread;
    /** Whether the tool has closed its output, or its process has been killed. */
    private volatile boolean ended;
    /** The number of bytes in the lines that were taken since counting began. */
    private long counted;

    ToolLines(InputStream in) {
        thread = new Thread(() -> read(in), "tool lines");
        thread.setDaemon(true);
        thread.start();
    }

    /** Puts the lines of the tool into the queue, until the tool ends or {@link #close} is called. */
    private void read(InputStream in) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 13];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n' || line.size() == LONGEST) {
                        waiting.put(line.toByteArray());
                        line.reset();
                    }
                    if (buffer[i] != '\n') {
                        line.write(buffer[i]);
                    }
                }
            }
            if (line.size() > 0) {
                waiting.put(line.toByteArray());
            }
        } catch (IOException e) {
            return; // the process was killed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
        }
    }

    /** Starts counting the printed bytes of the next answer. */
    void startCounting() {
        counted = 0;
    }

    /** Returns the next line, if one arrives in time. */
    Optional<String> poll(long millis) throws InterruptedException {
        byte[] line = waiting.poll(millis, TimeUnit.MILLISECONDS);
        if (line == null) {
            return Optional.empty();
        }
        counted += line.length + 1;
        return Optional.of(new String(line, StandardCharsets.UTF_8));
    }

    /** Returns whether more than {@link #LIMIT} bytes were printed since counting began. */
    boolean isFlooded() {
        return counted > LIMIT;
    }

    /** Returns whether no further line will arrive. */
    boolean isOver() {
        return ended && waiting.isEmpty();
    }

    /** Ends the reading thread, even if it waits for a free place in the queue. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
