package dev.shardkit.cli.command.conformance;

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

/**
 * {@code conformance-batch}: answers the requests of the conformance suite, one JSON object a line. The suite tests
 * shardkit in this way as it tests other libraries. {@code docs/conformance.md} defines the protocol.
 */
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
        BufferedReader requests = new BufferedReader(new InputStreamReader(output().in(), StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            print(answer((Json.Obj) JsonReader.read(line.getBytes(StandardCharsets.UTF_8), Limits.defaults())));
        }
        return 0;
    }

    private void print(Json.Obj reply) {
        output().printLine(reply.toString());
        output().flush();
    }

    /** Executes a request, and returns the reply: the output file, or the error. */
    private Json.Obj answer(Json.Obj request) {
        Json.Obj reply = Json.object().with("id", request.get("id").orElseThrow());
        String outputPath = requireText(request, "out");
        try {
            String selection = request.get("selection")
                    .map(ConformanceBatchCommand::parseSelection)
                    .orElse(null);
            if (request.get("do").isPresent()) { // a write; requests without this member are reads
                Path values = Path.of(requireText(request, "values"));
                ConformanceWrite.write(outputPath, request.get("metadata").orElse(null), selection, values, options());
            } else {
                String location = requireText(request, request.get("url").isPresent() ? "url" : "path");
                ConformanceReadCommand.read(location, Path.of(outputPath), selection, options());
            }
            return reply.with("out", Json.of(outputPath));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return reply.with(
                    "error", Json.object().with("kind", Json.of(errorKind(e))).with("message", Json.of(e.toString())));
        }
    }

    private static String requireText(Json.Obj request, String name) {
        return ((Json.Str) request.get(name).orElseThrow()).value();
    }

    private static String parseSelection(Json ranges) {
        return ((Json.Arr) ranges)
                .items().stream().map(ConformanceBatchCommand::parseRange).collect(Collectors.joining(","));
    }

    private static String parseRange(Json range) {
        List<Json> ends = ((Json.Arr) range).items();
        return ends.get(0) + ":" + ends.get(1);
    }

    private static String errorKind(Throwable e) {
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
