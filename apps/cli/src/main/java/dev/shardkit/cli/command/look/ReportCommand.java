package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.Output;
import dev.shardkit.pictures.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: writes an HTML page about an array or a tree. */
@Command(
        name = "report",
        description = {
            "Write a page about an array or a tree: sizes, pictures, histograms, maps of shards, recommendations.",
            "The page needs no other file. Of an array of more than 2^26 elements (67 million), the histogram and figures "
                    + "describe the middle only."
        },
        footer = {"", "Example: shardkit report images.zarr -o report.html"})
public final class ReportCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(
            names = "-o",
            required = true,
            paramLabel = "FILE",
            description = "The page; - for standard output. On failure FILE keeps its old content.")
    private String file = "";

    public ReportCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() throws IOException {
        try (ZarrNode node = Zarr.open(url, options())) {
            String page = Report.of(node, url, ApiNameReplacement::replaceIn);
            output().writeFile(file, node, out -> out.write(page.getBytes(StandardCharsets.UTF_8)));
            return 0;
        }
    }
}
