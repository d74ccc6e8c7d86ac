package dev.shardkit.cli.command.write;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.WriteOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.publish.AllOrNothing;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code erase}: resets the elements of a region to the fill value. */
@Command(
        name = "erase",
        description = "Erase a region of an array: its elements read as the fill value again. Chunks and shards that "
                + "become empty are deleted. Rerunning the command completes an interrupted run.",
        footer = {"", "Example: shardkit erase image.zarr --region 0:64,:"})
public final class EraseCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--region",
            required = true,
            paramLabel = "R",
            description = "The region, as for read but without steps; : for the whole of a dimension.")
    private String region = "";

    @Mixin
    private final WriteOptions writeOptions = new WriteOptions();

    public EraseCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return resumeAdvice(url, command);
    }

    @Override
    public int run() {
        try (ZarrArray array = Zarr.openArray(url, writeOptions.applyTo(options()))) {
            AllOrNothing.run(array, () -> {
                array.erase(Region.parse(region, array));
                return array; // not used: the work must have some result
            });
            return 0;
        }
    }
}
