package dev.shardkit.cli.command.conformance;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.elements.ElementFormat;
import dev.shardkit.cli.print.elements.ElementWriter;
import dev.shardkit.json.JsonPrinter;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.json.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code conformance-read}: reads an array for the conformance suite, which runs each tested library as a command of
 * this form. {@code docs/conformance.md} defines its arguments and its output.
 */
@Command(
        name = "conformance-read",
        hidden = true,
        description = "Read an array for the conformance fixtures; a tool for shardkit conformance.")
public final class ConformanceReadCommand extends ShardkitCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "The folder of the array.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "OUT", description = "The output file for the elements.")
    private Path outputFile = Path.of("");

    @Parameters(index = "2", arity = "0..1", paramLabel = "SELECTION", description = "A box, such as 0:4,2:9.")
    private @Nullable String selection;

    public ConformanceReadCommand(Output output) {
        super(output);
    }

    @Override
    public boolean acceptsStreams() {
        return true; // OUT may be a pipe
    }

    @Override
    public int run() throws IOException {
        read(path, outputFile, selection, options());
        return 0;
    }

    /**
     * Writes the elements of an array, or of a box of it, to a file: raw bytes for elements of fixed size, otherwise a
     * JSON document.
     */
    static void read(String path, Path outputFile, @Nullable String selection, ZarrOptions options) throws IOException {
        try (ZarrArray array = Zarr.openArray(path, options)) {
            Box box = Region.parse(selection, array);
            if (array.dataType().carrier().isVariable()) {
                Files.write(outputFile, JsonPrinter.print(toJson(array.read(box))));
                return;
            }
            try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(outputFile))) {
                ElementWriter.print(ElementFormat.RAW, array, box, Optional.empty(), file);
            }
        }
    }

    private static Json.Obj toJson(NdArray values) {
        boolean isText = values.dataType().carrier() == Carrier.STRING;
        Stream<String> elements = isText
                ? Arrays.stream(values.strings())
                : Arrays.stream(values.byteArrays())
                        .map(bytes -> Base64.getEncoder().encodeToString(bytes));
        List<Json> list = elements.map(Json::of).toList();
        return Json.object()
                .with("encoding", Json.of(isText ? "utf8" : "base64"))
                .with("shape", Json.of(values.shape()))
                .with("values", new Json.Arr(list));
    }
}
