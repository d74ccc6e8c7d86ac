package dev.shardkit.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Captures the printed output of a tool. Keeps the beginning, and reads and drops the rest, so that the tool is never
 * blocked by a full pipe. Thread-safe.
 */
final class Captured {
    /** The maximum number of characters that are kept. */
    private static final int KEPT = 4000;

    private final StringBuilder kept = new StringBuilder();

    /** Reads a stream to its end on a thread of its own. */
    Thread drain(InputStream in) {
        Thread thread = new Thread(() -> read(in), "tool output");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void read(InputStream in) {
        byte[] buffer = new byte[KEPT];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                add(new String(buffer, 0, count, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            return; // the process was killed
        }
    }

    /** Adds text. */
    synchronized void add(String text) {
        int room = KEPT - kept.length();
        if (room > 0) {
            kept.append(text, 0, Math.min(room, text.length()));
        }
    }

    /** Returns the kept text. */
    synchronized String text() {
        return kept.toString().strip();
    }

    /** Clears the text. */
    synchronized void clear() {
        kept.setLength(0);
    }
}
