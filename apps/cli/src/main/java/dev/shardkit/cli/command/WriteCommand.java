package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.WriteChoices;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.base.AllOrNothing;
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
    private String from = "";

    @Mixin
    private final WriteChoices choices = new WriteChoices();

    public WriteCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return Optional.of(
                hasBegun() && !isInArchive(url)
                        ? mixed(command)
                        : "nothing was changed; to begin again, " + again(from, command));
    }

    @Override
    public Optional<String> afterFailure(String command) {
        return hasBegun() && !isInArchive(url) ? Optional.of(mixed(command)) : Optional.empty();
    }

    private String mixed(String command) {
        return "the region may hold old and new elements; to write it whole, " + again(from, command);
    }

    @Override
    public int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, choices.in(options()))) {
            Region part = Region.withSteps(region, array);
            try (InputFile input = InputFile.of(from, ".raw", output())) {
                write(array, part, input.path(), input.name());
            }
            return 0;
        }
    }

    private void write(ZarrArray array, Region part, Path path, String name) throws IOException {
        try (RawFile file = RawFile.open(array, part, path, name)) {
            begin();
            AllOrNothing.run(array, () -> {
                file.write();
                return array;
            });
        }
    }
}
