package dev.shardkit.cli;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.spi.json.Json;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a command reads and writes beside its files: data on standard output, messages on standard error, all of it
 * UTF-8. Not thread-safe.
 */
final class Output {
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final OutputStream data;
    private final OutputStream messages;

    Output(InputStream in, OutputStream data, OutputStream messages) {
        this.in = in;
        this.data = new BufferedOutputStream(new Pipe(data), BUFFER);
        this.messages = messages;
    }

    /** Standard input. */
    InputStream in() {
        return in;
    }

    /** Standard output, buffered; {@link #flush} is called when the command ends. */
    OutputStream data() {
        return data;
    }

    /** Standard error, unbuffered. */
    OutputStream messages() {
        return messages;
    }

    /** Standard output for text that is formatted elsewhere. */
    PrintWriter writer() {
        return new PrintWriter(new OutputStreamWriter(data, StandardCharsets.UTF_8), true);
    }

    /** A line of data. */
    void line(String line) {
        try {
            data.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** A document of data. */
    void json(Json json) {
        line(JsonPrinter.text(json));
    }

    /** Writes out what is buffered. */
    void flush() {
        try {
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** One line on standard error, with the command's name before it. */
    void message(String text) {
        print("shardkit: " + text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ") + "\n");
    }

    /** The trace of {@code e} on standard error. */
    void trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        print(text.toString());
    }

    /** Text on standard error, as it is. */
    void print(String text) {
        try {
            messages.write(text.getBytes(StandardCharsets.UTF_8));
            messages.flush();
        } catch (IOException e) {
            return; // nobody is left to be told
        }
    }

    /** Whoever read standard output has enough: {@code head}, say. */
    static final class ReaderGone extends IOException {
        private static final long serialVersionUID = 1;

        private ReaderGone(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Tells the end of a pipe from other failures, which only the text of the system's error does. */
    private static final class Pipe extends FilterOutputStream {
        Pipe(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
                throw text.contains("pipe") ? new ReaderGone(e) : e;
            }
        }
    }
}
