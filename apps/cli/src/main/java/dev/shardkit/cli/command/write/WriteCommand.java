package dev.shardkit.cli.command.write;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.WriteOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.publish.AllOrNothing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code write}: overwrites a region with the elements of a raw file. */
@Command(
        name = "write",
        description = "Overwrite an array or a region of it with the content of a file.",
        footer = {"", "Example: shardkit write image.zarr --from rows.raw --region 0:64,: --strategy in-place"})
public final class WriteCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(names = "--region", paramLabel = "R", description = "The region, as for read (default: all).")
    private @Nullable String region;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            description =
                    "Exactly the region's elements, in the form of read --format raw; - for standard input. A pipe works too.")
    private String input = "";

    @Mixin
    private final WriteOptions writeOptions = new WriteOptions();

    public WriteCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return Optional.of(
                mayHaveChanged() && !isInArchive(url)
                        ? partialWriteAdvice(command)
                        : "nothing was changed; to begin again, " + repeatAdvice(input, command));
    }

    @Override
    public Optional<String> adviceAfterFailure(String command) {
        return mayHaveChanged() && !isInArchive(url) ? Optional.of(partialWriteAdvice(command)) : Optional.empty();
    }

    private String partialWriteAdvice(String command) {
        return "the region may hold old and new elements; to write it whole, " + repeatAdvice(input, command);
    }

    @Override
    public int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, writeOptions.applyTo(options()))) {
            Region selection = Region.parseWithSteps(region, array);
            try (InputFile inputFile = InputFile.open(input, ".raw", output())) {
                writeFile(array, selection, inputFile.path(), inputFile.name());
            }
            return 0;
        }
    }

    private void writeFile(ZarrArray array, Region selection, Path path, String name) throws IOException {
        try (RawFile file = RawFile.open(array, selection, path, name)) {
            markChanging();
            AllOrNothing.run(array, () -> {
                file.write();
                return array;
            });
        }
    }
}
