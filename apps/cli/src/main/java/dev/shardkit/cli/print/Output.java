package dev.shardkit.cli.print;

import dev.shardkit.ZarrNode;
import dev.shardkit.files.OutputFile;
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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The streams of a command: data on standard output, messages on standard error, all in UTF-8. Not thread-safe. */
public final class Output {
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final OutputStream data;
    private final OutputStream messages;

    public Output(InputStream in, OutputStream data, OutputStream messages) {
        this.in = in;
        this.data = new BufferedOutputStream(new Pipe(data), BUFFER);
        this.messages = messages;
    }

    /** Returns standard input. */
    public InputStream in() {
        return in;
    }

    /** Returns standard output, buffered; {@link #flush} is called when the command ends. */
    public OutputStream data() {
        return data;
    }

    /** Returns standard error, unbuffered. */
    OutputStream messages() {
        return messages;
    }

    /** Returns standard output as a writer, for text that is formatted elsewhere. */
    public PrintWriter writer() {
        return new PrintWriter(new OutputStreamWriter(data, StandardCharsets.UTF_8), true);
    }

    /**
     * Writes an output file, which a failure leaves unchanged; {@code -} is standard output.
     *
     * @param read the node that the content describes; the file must not be one of its own
     */
    public void to(String file, ZarrNode read, OutputFile.Writer content) throws IOException {
        if (!OutputPlace.isStandardOutput(file)) {
            OutputPlace.check(Path.of(file), read);
        }
        to(file, content);
    }

    /** Writes an output file, which a failure leaves unchanged; {@code -} is standard output. */
    public void to(String file, OutputFile.Writer content) throws IOException {
        if (OutputPlace.isStandardOutput(file)) {
            content.write(data);
            return;
        }
        Path path = Path.of(file);
        try {
            OutputFile.write(path, content);
        } catch (IOException e) {
            throw !Files.isRegularFile(path) && isClosedPipe(e) ? new ReaderGone(e) : e;
        }
    }

    /** Whether the reader closed a pipe. Only the text of the system's error distinguishes it from other failures. */
    private static boolean isClosedPipe(IOException e) {
        String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        return String.valueOf(reason).toLowerCase(Locale.ROOT).contains("pipe");
    }

    /** Prints a line of data. */
    public void line(String line) {
        try {
            data.write((Terminal.lines(line) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** Prints a document of data. */
    public void json(Json json) {
        line(JsonPrinter.text(json));
    }

    /** Writes out what is buffered. */
    public void flush() {
        try {
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** Prints one line on standard error, prefixed with the command's name. */
    public void message(String text) {
        print("shardkit: " + StreamNames.in(Switches.in(text)).strip().replaceAll("\\s*[\\r\\n]+\\s*", " ") + "\n");
    }

    /** Prints the trace of {@code e} on standard error. */
    public void trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        print(text.toString());
    }

    /** Prints text on standard error without a prefix. */
    void print(String text) {
        try {
            messages.write(Terminal.lines(text).getBytes(StandardCharsets.UTF_8));
            messages.flush();
        } catch (IOException e) {
            return; // standard error is closed too: there is no way to report it
        }
    }

    /** The reader of the output closed the pipe, as {@code head} does. */
    public static final class ReaderGone extends IOException {
        private static final long serialVersionUID = 1;

        private ReaderGone(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Detects a closed pipe. */
    private static final class Pipe extends FilterOutputStream {
        Pipe(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                throw isClosedPipe(e) ? new ReaderGone(e) : e;
            }
        }
    }
}
