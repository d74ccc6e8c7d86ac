package dev.shardkit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running tool that answers questions, one at a time: a question is a line of JSON on its standard input, the answer
 * a line of JSON on its standard output. Other lines are kept as output and shown with the row. Used by one thread at a
 * time.
 */
final class BatchProcess implements AutoCloseable {
    /** The version of the batch protocol, which the first line of the tool must name. */
    private static final int PROTOCOL = 1;
    /** The time in which the tool must send its first line; no row's time includes it. */
    private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(60);

    /** How long to wait for a line before the limits are checked. */
    private static final long LOOK_MILLIS = 50;
    /** How long to wait for the lines of a tool that has ended. */
    private static final long LAST_LINES_MILLIS = 500;

    /** How long to wait for the end of a tool that has closed its output. */
    private static final long END_SECONDS = 5;
    /** The maximum number of characters of a line of the tool in a message. */
    private static final int MAX_SHOWN = 200;

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Processes processes = new Processes();
    private final Process process;
    private final Captured output = new Captured();
    private final ToolLines lines;

    private BatchProcess(CommandTemplate command) throws IOException {
        process = processes.start(new ProcessBuilder(command.words()));
        output.drain(process.getErrorStream());
        lines = new ToolLines(process.getInputStream());
    }

    /** Starts the tool and waits for its first line. */
    static BatchProcess start(CommandTemplate command) throws IOException, InterruptedException {
        BatchProcess started = new BatchProcess(command);
        boolean isStarted = false;
        try {
            // The hello line comes before any row: there is no file of elements yet, and no limit on memory.
            Reply hello = started.reply(
                    System.nanoTime(),
                    new RowLimits(Path.of("none"), 0, HELLO_TIMEOUT, OptionalLong.empty()),
                    OptionalLong.empty());
            JsonNode line = hello.json();
            JsonNode protocol = line == null ? MissingNode.getInstance() : line.path("protocol");
            if (!protocol.isIntegralNumber() || protocol.asInt() != PROTOCOL) {
                throw new IOException("the tool sent no hello line, {\"protocol\": 1, ...}: "
                        + (line == null ? hello.detail() : cut(line))
                        + started.lastLine());
            }
            isStarted = true;
            return started;
        } finally {
            if (!isStarted) {
                started.close();
            }
        }
    }

    /** Returns the last line of the output, for an error message; empty if there is none. */
    private String lastLine() {
        String last = output.text()
                .lines()
                .filter(l -> !l.isBlank())
                .reduce((a, b) -> b)
                .orElse("");
        return last.isEmpty() ? "" : "; it printed: " + cut(last);
    }

    /** A line of the tool, or how it ended without one. */
    private record Reply(@Nullable JsonNode json, End end, String detail) {
        static Reply none(End end, String detail) {
            return new Reply(null, end, detail);
        }
    }

    /** Asks the question of a row, and returns the answer or how the tool failed. */
    ToolResult ask(Row row, RowLimits limits) throws IOException, InterruptedException {
        output.clear();
        OptionalLong before = Processes.peakFromHere(process);
        long start = System.nanoTime();
        Reply reply = send(question(row, limits.file())) ? reply(start, limits, before) : ended();
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        OptionalLong grown = growth(before);
        Optional<String> fault = Optional.empty();
        JsonNode json = reply.json();
        if (json != null) {
            fault = fault(json);
            reply = judge(row, limits.file(), json);
        }
        return new ToolResult(reply.end(), reply.detail(), fault, output.text(), time, grown);
    }

    /** Returns how much the peak of the tool's memory lies above {@code before}; empty if it is unknown. */
    private OptionalLong growth(OptionalLong before) {
        OptionalLong peak = Processes.peak(process);
        return before.isPresent() && peak.isPresent()
                ? OptionalLong.of(Math.max(0, peak.getAsLong() - before.getAsLong()))
                : OptionalLong.empty();
    }

    private static String question(Row row, Path out) throws IOException {
        ObjectNode question = JSON.createObjectNode();
        question.put("id", row.id()).put("path", row.folder().toString()).put("out", out.toString());
        if (row.selection().isPresent()) {
            ArrayNode selection = question.putArray("selection");
            row.selection()
                    .get()
                    .forEach(s -> selection.addArray().add(s.start()).add(s.stop()));
        }
        return JSON.writeValueAsString(question);
    }

    private boolean send(String line) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            return true;
        } catch (IOException e) {
            return false; // the process has ended
        }
    }

    /** Waits for a JSON object; keeps other lines as output. */
    private Reply reply(long start, RowLimits limits, OptionalLong before) throws InterruptedException {
        lines.startCounting();
        while (true) {
            boolean alive = process.isAlive();
            Optional<String> line = lines.poll(alive ? LOOK_MILLIS : LAST_LINES_MILLIS);
            if (line.isPresent()) {
                Optional<JsonNode> json = object(line.get());
                if (json.isPresent()) {
                    return new Reply(json.get(), End.VALUES, "");
                }
                output.add(line.get() + "\n");
            } else if (!alive || lines.isOver()) {
                return ended();
            }
            if (lines.isFlooded()) {
                return Reply.none(End.CRASH, "printed " + ToolLines.LIMIT + " bytes without an answer");
            }
            Optional<End> passed = limits.passed(System.nanoTime() - start, growth(before));
            if (passed.isPresent()) {
                return Reply.none(passed.get(), limits.detail(passed.get()));
            }
        }
    }

    private Reply ended() throws InterruptedException {
        boolean dead = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        return Reply.none(
                End.CRASH,
                dead ? "ended with status " + process.exitValue() + " in place of an answer" : "closed its output");
    }

    private static Optional<JsonNode> object(String line) {
        try {
            return Optional.ofNullable(JSON.readTree(line)).filter(JsonNode::isObject);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Returns the end that an answer means, or a crash if it breaks the protocol. */
    private static Reply judge(Row row, Path out, JsonNode answer) {
        if (!row.id().equals(answer.path("id").textValue())) {
            return Reply.none(End.CRASH, "answered another question: " + cut(answer));
        }
        JsonNode error = answer.path("error");
        if (error.isObject()) {
            return Reply.none(
                    End.REFUSED,
                    cut(Objects.requireNonNullElse(error.path("message").textValue(), "")));
        }
        if (!out.toString().equals(answer.path("out").textValue())) {
            return Reply.none(End.CRASH, "neither the file \"out\" nor an \"error\": " + cut(answer));
        }
        return Reply.none(End.VALUES, "");
    }

    /** Returns the kind of the error that the tool reports. */
    private static Optional<String> fault(JsonNode answer) {
        return Optional.ofNullable(answer.path("error").path("kind").textValue());
    }

    private static String cut(JsonNode json) {
        return cut(json.toString());
    }

    private static String cut(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }

    /** Kills the tool and all processes that it started. */
    @Override
    public void close() {
        processes.kill(process);
        lines.close();
    }
}
