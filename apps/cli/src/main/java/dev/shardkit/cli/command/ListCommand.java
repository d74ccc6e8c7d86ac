package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Switches;
import dev.shardkit.cli.print.Terminal;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
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
            "Show the tree below a group.",
            "Over HTTP, a group of Zarr needs consolidated metadata for this (see consolidate), and a group of N5 shows no "
                    + "children."
        })
public final class ListCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the group.")
    private String url = "";

    @Option(names = "--json", description = "Print a JSON list of nodes.")
    private boolean json;

    private final List<Json> nodes = new ArrayList<>();
    private int status;

    public ListCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        try (ZarrNode root = Zarr.open(url, options())) {
            show(root, "/", "/", 0);
        }
        if (json) {
            output().json(new Json.Arr(nodes));
        }
        return status;
    }

    private void show(ZarrNode node, String path, String name, int depth) {
        if (node instanceof ZarrArray array) {
            Json.Obj facts = node("array", path);
            for (var fact : NodeFacts.summary(array).members().entrySet()) {
                facts = facts.with(fact.getKey(), fact.getValue());
            }
            print(facts, name, depth, "array " + NodeFacts.line(array));
            return;
        }
        ZarrGroup group = (ZarrGroup) node;
        SortedSet<String> children = group.childNames();
        print(node("group", path), name, depth, "group, " + NodeFacts.count(children.size(), "child", "children"));
        for (String child : children) {
            String childPath = StoreKeys.location(path, child);
            try {
                Optional<ZarrNode> found = group.find(child);
                if (found.isPresent()) {
                    show(found.get(), childPath, child, depth + 1);
                }
            } catch (ZarrException e) {
                status = 1;
                String error = Switches.in(e.fact());
                print(
                        Json.object().with("path", Json.of(childPath)).with("error", Json.of(error)),
                        child,
                        depth + 1,
                        error);
            }
        }
    }

    private static Json.Obj node(String type, String path) {
        return Json.object().with("path", Json.of(path)).with("node_type", Json.of(type));
    }

    private void print(Json.Obj facts, String name, int depth, String text) {
        nodes.add(facts);
        if (!json) {
            output().line(String.format("%-30s %s", "  ".repeat(depth) + Terminal.name(name), text));
        }
    }
}
