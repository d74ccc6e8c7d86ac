package dev.shardkit.cli;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.registry.Plugin;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plugins}: lists all plug-ins with the jars that they come from. */
@Command(name = "plugins", description = "List plug-ins: those in use, shadowed by others, and failed to load.")
public final class PluginsCommand extends ShardkitCommand {
    @Option(names = "--json", description = "Print a JSON list.")
    private boolean json;

    /** The jars that {@code --plugin} and {@code SHARDKIT_PLUGINS} name. */
    private Set<Path> userJars = Set.of();

    public PluginsCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        List<Plugin> plugins = Registry.load().plugins();
        userJars = root().pluginJars();
        if (json) {
            output().printJson(new Json.Arr(
                    plugins.stream().<Json>map(PluginsCommand::toJson).toList()));
        } else {
            printTable(plugins);
        }
        return 0;
    }

    /** Returns a plug-in as JSON, with the reason why it is not in use. */
    private static Json.Obj toJson(Plugin plugin) {
        Json absent = new Json.Null();
        Json.Obj members = Json.object()
                .with("kind", Json.of(plugin.kind().toString()))
                .with("name", plugin.name().<Json>map(Json.Str::new).orElse(absent))
                .with("class", Json.of(plugin.className()))
                .with("jar", Json.of(plugin.jar()))
                .with("version", plugin.version().<Json>map(Json.Str::new).orElse(absent))
                .with("priority", Json.of(plugin.priority()));
        Plugin.State state = plugin.state();
        if (state instanceof Plugin.State.Shadowed shadowed) {
            return members.with("state", Json.of("shadowed")).with("why", Json.of(shadowed.shadowedBy()));
        } else if (state instanceof Plugin.State.Tied tied) {
            return members.with("state", Json.of("tied")).with("why", Json.of(tied.with()));
        } else if (state instanceof Plugin.State.Failed failed) {
            return members.with("state", Json.of("failed")).with("why", Json.of(failed.reason()));
        }
        return members.with("state", Json.of("active"));
    }

    /** Prints a table with a row for each plug-in. */
    private void printTable(List<Plugin> plugins) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"KIND", "NAME", "PRIORITY", "VERSION", "JAR", "STATE"});
        for (Plugin plugin : plugins) {
            rows.add(new String[] {
                plugin.kind().toString(),
                plugin.name().orElse("(" + plugin.className() + ")"),
                String.valueOf(plugin.priority()),
                plugin.version().orElse("-"),
                shortName(plugin.jar()),
                plugin.state().toString()
            });
        }
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            output().printLine(line.toString().stripTrailing());
        }
    }

    /** Returns the path of a jar that the user named, and only the file name of one that belongs to shardkit. */
    private String shortName(String jar) {
        boolean isOwnJar = jar.endsWith(".jar") && !userJars.contains(Path.of(jar));
        return isOwnJar ? String.valueOf(Path.of(jar).getFileName()) : jar;
    }
}
