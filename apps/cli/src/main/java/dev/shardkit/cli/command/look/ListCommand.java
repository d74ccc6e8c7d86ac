package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.TerminalText;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.publish.UnfinishedPlaces;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.LocalReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ls}: prints the tree below a node. If a child cannot be opened, it prints the reason and exits with status 1.
 */
@Command(
        name = "ls",
        description = {
            "Show the tree below a group. In local folders, also show unfinished work, such as a copy that was interrupted.",
            "Over HTTP, a group of Zarr needs consolidated metadata for this (see consolidate), and a group of N5 shows no "
                    + "children."
        })
public final class ListCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the group.")
    private String url = "";

    @Option(names = "--json", description = "Print a JSON list of nodes.")
    private boolean json;

    private static final String UNFINISHED = "unfinished";

    private final List<Json> nodes = new ArrayList<>();
    private int status;

    public ListCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        try (ZarrNode root = Zarr.open(url, options())) {
            printTree(root, "/", "/", 0);
        }
        if (json) {
            output().printJson(new Json.Arr(nodes));
        }
        return status;
    }

    /** Prints a node, the nodes below it, and unfinished work beside them. */
    private void printTree(ZarrNode node, String path, String name, int depth) {
        if (node instanceof ZarrArray array) {
            Json.Obj properties = describeNode("array", path);
            for (var property : NodeText.summary(array).members().entrySet()) {
                properties = properties.with(property.getKey(), property.getValue());
            }
            printNode(array, properties, name, depth, "array " + NodeText.toLine(array));
            return;
        }
        ZarrGroup group = (ZarrGroup) node;
        SortedSet<String> children = group.childNames();
        printNode(
                group,
                describeNode("group", path),
                name,
                depth,
                "group, " + NodeText.count(children.size(), "child", "children"));
        for (String child : children) {
            String childPath = StoreKeys.location(path, child);
            try {
                Optional<ZarrNode> childNode = group.find(child);
                if (childNode.isPresent()) {
                    printTree(childNode.get(), childPath, child, depth + 1);
                }
            } catch (ZarrException e) {
                status = 1;
                String error = ApiNameReplacement.replaceIn(e.fact());
                printNode(
                        Json.object().with("path", Json.of(childPath)).with("error", Json.of(error)),
                        child,
                        depth + 1,
                        error);
            }
        }
        if (isLocal(group) && group.nodeFormat().isEmpty()) {
            UnfinishedPlaces.visitFolders(
                    group,
                    children,
                    (folder, what) -> printFolder(group, path, folder, UNFINISHED, what, depth),
                    (folder, reason) -> {
                        status = 1;
                        printFolder(group, path, folder, "error", reason, depth);
                    });
        }
    }

    /**
     * Prints a folder that is no node but has unfinished work or cannot be looked at, or the group with such work.
     *
     * @param property the name of the member that says this in JSON
     */
    private void printFolder(ZarrGroup group, String path, String folder, String property, String text, int depth) {
        boolean isGroup = folder.equals(group.path());
        String child = isGroup ? "" : StoreKeys.name(folder);
        String value = ApiNameReplacement.replaceIn(text);
        Json.Obj properties = Json.object()
                .with("path", Json.of(isGroup ? path : StoreKeys.location(path, child)))
                .with(property, Json.of(value));
        printNode(properties, child, depth + 1, value);
    }

    /** Whether a look for unfinished work costs no request. */
    private static boolean isLocal(ZarrNode node) {
        return AllOrNothing.store(node).reads() instanceof LocalReads;
    }

    /** Prints a node, and its unfinished work. */
    private void printNode(ZarrNode node, Json.Obj properties, String name, int depth, String text) {
        Optional<String> unfinished =
                isLocal(node) ? NodeText.describeUnfinished(node).map(ApiNameReplacement::replaceIn) : Optional.empty();
        printNode(
                unfinished
                        .map(what -> properties.with(UNFINISHED, Json.of(what)))
                        .orElse(properties),
                name,
                depth,
                text + unfinished.map(what -> "; unfinished: " + what).orElse(""));
    }

    private static Json.Obj describeNode(String type, String path) {
        return Json.object().with("path", Json.of(path)).with("node_type", Json.of(type));
    }

    private void printNode(Json.Obj properties, String name, int depth, String text) {
        nodes.add(properties);
        if (!json) {
            output().printLine(String.format("%-30s %s", "  ".repeat(depth) + TerminalText.escapeName(name), text));
        }
    }
}
