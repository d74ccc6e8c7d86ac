package dev.shardkit.cli.command;

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

/** {@code plugins}: lists everything that metadata and URLs can name, with its origin. */
@Command(name = "plugins", description = "List plug-ins: those in use, shadowed by others, and failed to load.")
public final class PluginsCommand extends ShardkitCommand {
    @Option(names = "--json", description = "Print a JSON list.")
    private boolean json;

    private Set<Path> named = Set.of();

    public PluginsCommand(Output output) {
        super(output);
    }

    @Override
    public int run() {
        List<Plugin> plugins = Registry.load().plugins();
        named = root().pluginJars();
        if (json) {
            output().json(new Json.Arr(
                    plugins.stream().<Json>map(PluginsCommand::facts).toList()));
        } else {
            table(plugins);
        }
        return 0;
    }

    private static Json.Obj facts(Plugin plugin) {
        Json none = new Json.Null();
        Json.Obj facts = Json.object()
                .with("kind", Json.of(plugin.kind().toString()))
                .with("name", plugin.name().<Json>map(Json.Str::new).orElse(none))
                .with("class", Json.of(plugin.className()))
                .with("jar", Json.of(plugin.jar()))
                .with("version", plugin.version().<Json>map(Json.Str::new).orElse(none))
                .with("priority", Json.of(plugin.priority()));
        Plugin.State state = plugin.state();
        if (state instanceof Plugin.State.Shadowed s) {
            return facts.with("state", Json.of("shadowed")).with("why", Json.of(s.by()));
        } else if (state instanceof Plugin.State.Tied t) {
            return facts.with("state", Json.of("tied")).with("why", Json.of(t.with()));
        } else if (state instanceof Plugin.State.Failed f) {
            return facts.with("state", Json.of("failed")).with("why", Json.of(f.why()));
        }
        return facts.with("state", Json.of("active"));
    }

    private void table(List<Plugin> plugins) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"KIND", "NAME", "PRIORITY", "VERSION", "JAR", "STATE"});
        for (Plugin p : plugins) {
            rows.add(new String[] {
                p.kind().toString(),
                p.name().orElse("(" + p.className() + ")"),
                String.valueOf(p.priority()),
                p.version().orElse("-"),
                shortened(p.jar()),
                p.state().toString()
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
            output().line(line.toString().stripTrailing());
        }
    }

    /** Returns the file name of a jar of shardkit and the path of others; the JSON document has all paths. */
    private String shortened(String jar) {
        boolean own = jar.endsWith(".jar") && !named.contains(Path.of(jar));
        return own ? String.valueOf(Path.of(jar).getFileName()) : jar;
    }
}
