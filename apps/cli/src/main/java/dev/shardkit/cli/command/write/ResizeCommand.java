package dev.shardkit.cli.command.write;

import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.publish.AllOrNothing;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code resize}: changes the shape of an array. */
@Command(
        name = "resize",
        description = {
            "Change the shape of an array. New elements read as the fill value, also where a program that shrank the "
                    + "array has left others in the chunks on its edge.",
            "If the array shrinks, elements outside the new shape are removed. Rerunning the command completes an "
                    + "interrupted run.",
            ConsolidateCommand.GROUPS_ABOVE
        },
        footer = {"", "Example: shardkit resize image.zarr --shape 1024,512"})
public final class ResizeCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--shape",
            required = true,
            paramLabel = "SHAPE",
            description = "The new shape, with as many dimensions as the old one.")
    private Lengths shape = new Lengths(new long[0]);

    @Option(
            names = "--keep-outside",
            description =
                    "Keep stored elements outside the new and the old shape; they are visible again if the array grows with "
                            + "this option.")
    private boolean keepOutside;

    public ResizeCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return resumeAdvice(url, command);
    }

    @Override
    public int run() {
        try (ZarrArray array = Zarr.openArray(url, options())) {
            long[] newShape = shape.values();
            if (newShape.length != array.shape().length) {
                throw new UsageException("--shape: expected " + array.shape().length + " lengths like the old shape "
                        + Arrays.toString(array.shape()) + ", found " + Arrays.toString(newShape));
            }
            AllOrNothing.run(
                    array, () -> array.resize(newShape, keepOutside ? ResizePolicy.KEEP : ResizePolicy.REMOVE));
            return 0;
        }
    }
}
