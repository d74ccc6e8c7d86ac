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

/** The streams of a command: data on standard output and messages on standard error, all in UTF-8. Not thread-safe. */
public final class Output {
    private static final int BUFFER_SIZE = 1 << 16;

    private final InputStream in;
    private final OutputStream data;
    private final OutputStream messages;

    public Output(InputStream in, OutputStream data, OutputStream messages) {
        this.in = in;
        this.data = new BufferedOutputStream(new PipeDetector(data), BUFFER_SIZE);
        this.messages = messages;
    }

    /** Returns standard input. */
    public InputStream in() {
        return in;
    }

    /** Returns standard output, buffered. The program flushes it when the command ends. */
    public OutputStream data() {
        return data;
    }

    /** Returns standard error, unbuffered. */
    OutputStream messages() {
        return messages;
    }

    /** Returns standard output as a writer. */
    public PrintWriter writer() {
        return new PrintWriter(new OutputStreamWriter(data, StandardCharsets.UTF_8), true);
    }

    /**
     * Writes an output file. After a failure, the old file is unchanged. {@code -} is standard output.
     *
     * @param source the node whose content is written; the file must not belong to it
     */
    public void writeFile(String file, ZarrNode source, OutputFile.Writer content) throws IOException {
        if (!OutputLocationCheck.isStandardOutput(file)) {
            OutputLocationCheck.requireOutside(Path.of(file), source);
        }
        writeFile(file, content);
    }

    /** Writes an output file. After a failure, the old file is unchanged. {@code -} is standard output. */
    public void writeFile(String file, OutputFile.Writer content) throws IOException {
        if (OutputLocationCheck.isStandardOutput(file)) {
            content.write(data);
            return;
        }
        Path path = Path.of(file);
        try {
            OutputFile.write(path, content);
        } catch (IOException e) {
            boolean isPipe = !Files.isRegularFile(path);
            throw isPipe && isClosedPipe(e) ? new ClosedPipeException(e) : e;
        }
    }

    /** Whether the reader closed a pipe. Java has no exception for it, only the text of the system, "Broken pipe". */
    private static boolean isClosedPipe(IOException e) {
        String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        return String.valueOf(reason).toLowerCase(Locale.ROOT).contains("pipe");
    }

    /** Prints a line of data. */
    public void printLine(String line) {
        try {
            data.write((TerminalText.escapeLines(line) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** Prints a JSON document as data. */
    public void printJson(Json json) {
        printLine(JsonPrinter.text(json));
    }

    /** Flushes standard output. */
    public void flush() {
        try {
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("standard output", e);
        }
    }

    /** Prints a line on standard error, with the prefix {@code shardkit:}. */
    public void printMessage(String text) {
        printError("shardkit: "
                + StreamNames.replaceIn(ApiNameReplacement.replaceIn(text))
                        .strip()
                        .replaceAll("\\s*[\\r\\n]+\\s*", " ") + "\n");
    }

    /** Prints a stack trace on standard error. */
    public void printStackTrace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        printError(text.toString());
    }

    /** Prints text on standard error without a prefix. */
    void printError(String text) {
        try {
            messages.write(TerminalText.escapeLines(text).getBytes(StandardCharsets.UTF_8));
            messages.flush();
        } catch (IOException e) {
            return; // standard error is closed, so there is no way to report this failure
        }
    }

    /** Thrown if the reader of the output closed the pipe, as {@code head} does. */
    public static final class ClosedPipeException extends IOException {
        private static final long serialVersionUID = 1;

        private ClosedPipeException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Turns the failure of a closed pipe into {@link ClosedPipeException}. */
    private static final class PipeDetector extends FilterOutputStream {
        PipeDetector(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw isClosedPipe(e) ? new ClosedPipeException(e) : e;
            }
        }
    }
}
