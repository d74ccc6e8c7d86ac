package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.SizedNode;
import dev.shardkit.cli.print.TerminalText;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The base of the commands that print sizes: {@code du} and {@code tree}. Reads no chunk. */
public abstract class AbstractSizeCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--json", description = "Print a JSON list of nodes with their sizes in bytes.")
    private boolean json;

    AbstractSizeCommand(Output output) {
        super(output);
    }

    /** Prints the sizes as text. */
    abstract void print(SizedNode root);

    @Override
    public final int run() {
        SizedNode root;
        try (ZarrNode node = Zarr.open(url, options())) {
            root = SizedNode.of(node, "/", output()::printMessage);
        }
        if (json) {
            output().printJson(new Json.Arr(
                    root.stream().map(node -> (Json) node.toJson()).toList()));
        } else {
            print(root);
        }
        return root.hasErrors() ? 1 : 0;
    }

    /** {@code du}. */
    @Command(
            name = "du",
            description = {
                "Print how many bytes the arrays of a tree take, stored and without encoding.",
                "Metadata is not counted. Strings count as 0 bytes without encoding, because their size is known only "
                        + "after decoding."
            },
            footer = {"", "Example: shardkit du images.zarr"})
    public static final class Usage extends AbstractSizeCommand {
        public Usage(Output output) {
            super(output);
        }

        @Override
        void print(SizedNode root) {
            printRow("stored", "unencoded", "ratio", "objects", "path");
            List<SizedNode> arrays = root.stream()
                    .filter(node -> node.arrayText() != null || node.error() != null)
                    .toList();
            arrays.forEach(this::printRow);
            if (root.arrayText() == null) {
                printRow(
                        String.valueOf(root.storedBytes()),
                        root.unencodedBytes().toString(),
                        root.ratio(),
                        root.objects() + "",
                        "total");
            }
        }

        private void printRow(SizedNode node) {
            if (node.error() != null) {
                printRow("-", "-", "-", "-", node.path() + ": " + node.error());
            } else {
                printRow(
                        node.storedBytes() + "",
                        node.unencodedBytes().toString(),
                        node.ratio(),
                        node.objects() + "",
                        TerminalText.escapeName(node.path()));
            }
        }

        private void printRow(String stored, String unencoded, String ratio, String objects, String path) {
            output().printLine(String.format("%15s %15s %8s %10s  %s", stored, unencoded, ratio, objects, path));
        }
    }

    /** {@code tree}. */
    @Command(
            name = "tree",
            description = {
                "Draw the tree below a group with the stored size and the size without encoding of each array.",
                "ls is faster: it reads only metadata."
            },
            footer = {"", "Example: shardkit tree images.zarr"})
    public static final class Tree extends AbstractSizeCommand {
        public Tree(Output output) {
            super(output);
        }

        @Override
        void print(SizedNode root) {
            print(root, "", "");
        }

        private void print(SizedNode node, String prefix, String childPrefix) {
            output().printLine(prefix + TerminalText.escapeName(node.name()) + "  " + describe(node));
            List<SizedNode> children = node.children();
            for (int i = 0; i < children.size(); i++) {
                boolean isLast = i == children.size() - 1;
                print(
                        children.get(i),
                        childPrefix + (isLast ? "`-- " : "|-- "),
                        childPrefix + (isLast ? "    " : "|   "));
            }
        }

        private static String describe(SizedNode node) {
            if (node.error() != null) {
                return node.error();
            }
            String sizes = SizedNode.formatSize(BigInteger.valueOf(node.storedBytes())) + " stored"
                    + (node.unencodedBytes().signum() == 0 ? "" : " of " + SizedNode.formatSize(node.unencodedBytes()));
            String otherFormats =
                    node.otherFormats().isEmpty() ? "" : "; also holds " + String.join(", ", node.otherFormats());
            String unfinished = node.interruptedChange()
                    .map(description -> "; unfinished: " + description)
                    .orElse("");
            return (node.arrayText() != null ? node.arrayText() : "group") + "; " + sizes + otherFormats + unfinished;
        }
    }
}
