package dev.shardkit.cli.command;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.Version;
import dev.shardkit.cli.print.Output;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code conformance-batch}: shardkit as a batch tool under the contract of {@code docs/conformance.md}. */
@Command(
        name = "conformance-batch",
        hidden = true,
        description =
                "Answer questions about arrays, JSON lines on standard input and output; for conformance --batch.")
public final class ConformanceBatchCommand extends ShardkitCommand {
    public ConformanceBatchCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        print(Json.object()
                .with("protocol", Json.of(1))
                .with("tool", Json.of("shardkit"))
                .with("version", Json.of(new Version().getVersion()[0].replace("shardkit ", ""))));
        BufferedReader questions = new BufferedReader(new InputStreamReader(output().in(), StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            print(answer((Json.Obj) JsonReader.read(line.getBytes(StandardCharsets.UTF_8), Limits.defaults())));
        }
        return 0;
    }

    private void print(Json.Obj answer) {
        output().line(answer.toString());
        output().flush();
    }

    private Json.Obj answer(Json.Obj question) {
        Json.Obj answer = Json.object().with("id", question.get("id").orElseThrow());
        String out = text(question, "out");
        try {
            String selection = question.get("selection")
                    .map(ConformanceBatchCommand::selection)
                    .orElse(null);
            if (question.get("do").isPresent()) {
                Path values = Path.of(text(question, "values"));
                ConformanceWrite.write(out, question.get("metadata").orElse(null), selection, values, options());
            } else {
                String from = text(question, question.get("url").isPresent() ? "url" : "path");
                ConformanceReadCommand.read(from, Path.of(out), selection, options());
            }
            return answer.with("out", Json.of(out));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return answer.with(
                    "error", Json.object().with("kind", Json.of(kind(e))).with("message", Json.of(e.toString())));
        }
    }

    private static String text(Json.Obj question, String name) {
        return ((Json.Str) question.get(name).orElseThrow()).value();
    }

    private static String selection(Json ranges) {
        return ((Json.Arr) ranges)
                .items().stream().map(ConformanceBatchCommand::range).collect(Collectors.joining(","));
    }

    private static String range(Json range) {
        List<Json> ends = ((Json.Arr) range).items();
        return ends.get(0) + ":" + ends.get(1);
    }

    private static String kind(Throwable e) {
        if (e instanceof MetadataException) {
            return "metadata";
        }
        if (e instanceof UnsupportedException) {
            return "unsupported";
        }
        if (e instanceof ChecksumException) {
            return "checksum";
        }
        return e instanceof CorruptDataException ? "data" : "other";
    }
}
