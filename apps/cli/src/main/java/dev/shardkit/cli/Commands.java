package dev.shardkit.cli;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.command.AdoptCommand;
import dev.shardkit.cli.command.AdviseCommand;
import dev.shardkit.cli.command.AppendCommand;
import dev.shardkit.cli.command.AttrsCommand;
import dev.shardkit.cli.command.ChunksCommand;
import dev.shardkit.cli.command.CompactCommand;
import dev.shardkit.cli.command.ConcatCommand;
import dev.shardkit.cli.command.ConformanceBatchCommand;
import dev.shardkit.cli.command.ConformanceCommand;
import dev.shardkit.cli.command.ConformanceReadCommand;
import dev.shardkit.cli.command.ConsolidateCommand;
import dev.shardkit.cli.command.ConvertCommand;
import dev.shardkit.cli.command.CopyCommand;
import dev.shardkit.cli.command.CreateCommand;
import dev.shardkit.cli.command.DiffCommand;
import dev.shardkit.cli.command.EraseCommand;
import dev.shardkit.cli.command.ExportCommand;
import dev.shardkit.cli.command.GroupCommand;
import dev.shardkit.cli.command.HeadCommand;
import dev.shardkit.cli.command.ImportCommand;
import dev.shardkit.cli.command.InfoCommand;
import dev.shardkit.cli.command.LayoutCommand;
import dev.shardkit.cli.command.ListCommand;
import dev.shardkit.cli.command.MapCommand;
import dev.shardkit.cli.command.MoveCommand;
import dev.shardkit.cli.command.OmeCommand;
import dev.shardkit.cli.command.PluginsCommand;
import dev.shardkit.cli.command.PreviewCommand;
import dev.shardkit.cli.command.PyramidCommand;
import dev.shardkit.cli.command.ReadCommand;
import dev.shardkit.cli.command.ReferencesCommand;
import dev.shardkit.cli.command.RemoveCommand;
import dev.shardkit.cli.command.RepairCommand;
import dev.shardkit.cli.command.ReportCommand;
import dev.shardkit.cli.command.ResizeCommand;
import dev.shardkit.cli.command.ServeCommand;
import dev.shardkit.cli.command.SizeCommand;
import dev.shardkit.cli.command.StatsCommand;
import dev.shardkit.cli.command.TourCommand;
import dev.shardkit.cli.command.VerifyCommand;
import dev.shardkit.cli.command.WriteCommand;
import dev.shardkit.cli.print.Output;
import java.util.List;

/** The commands, in the order of the help. Add a new command here, to both lists. */
public final class Commands {
    private static final List<String> NAMES = List.of(
            "info",
            "ls",
            "tree",
            "du",
            "head",
            "read",
            "export",
            "create",
            "import",
            "write",
            "append",
            "erase",
            "copy",
            "convert",
            "concat",
            "pyramid",
            "ome",
            "group",
            "attrs",
            "resize",
            "mv",
            "rm",
            "consolidate",
            "advise",
            "preview",
            "report",
            "stats",
            "diff",
            "map",
            "chunks",
            "verify",
            "repair",
            "compact",
            "shard",
            "unshard",
            "reshard",
            "aggregate",
            "adopt",
            "references",
            "serve",
            "plugins",
            "completion",
            "help",
            "tour",
            "conformance",
            "conformance-read",
            "conformance-batch");

    private Commands() {}

    /** Creates all commands. */
    static List<ShardkitCommand> createAll(Output output) {
        return NAMES.stream().map(name -> create(name, output)).toList();
    }

    /** Whether there is a command of this name. */
    static boolean has(String name) {
        return NAMES.contains(name);
    }

    /** Creates one command. Creating all commands makes the start noticeably slower. */
    static ShardkitCommand create(String name, Output output) {
        return switch (name) {
            case "info" -> new InfoCommand(output);
            case "ls" -> new ListCommand(output);
            case "tree" -> new SizeCommand.Tree(output);
            case "du" -> new SizeCommand.Usage(output);
            case "head" -> new HeadCommand(output);
            case "read" -> new ReadCommand(output);
            case "export" -> new ExportCommand(output);
            case "create" -> new CreateCommand(output);
            case "import" -> new ImportCommand(output);
            case "write" -> new WriteCommand(output);
            case "append" -> new AppendCommand(output);
            case "erase" -> new EraseCommand(output);
            case "copy" -> new CopyCommand(output);
            case "convert" -> new ConvertCommand(output);
            case "concat" -> new ConcatCommand(output);
            case "pyramid" -> new PyramidCommand(output);
            case "ome" -> new OmeCommand(output);
            case "group" -> new GroupCommand(output);
            case "attrs" -> new AttrsCommand(output);
            case "resize" -> new ResizeCommand(output);
            case "mv" -> new MoveCommand(output);
            case "rm" -> new RemoveCommand(output);
            case "consolidate" -> new ConsolidateCommand(output);
            case "advise" -> new AdviseCommand(output);
            case "preview" -> new PreviewCommand(output);
            case "report" -> new ReportCommand(output);
            case "stats" -> new StatsCommand(output);
            case "diff" -> new DiffCommand(output);
            case "map" -> new MapCommand(output);
            case "chunks" -> new ChunksCommand(output);
            case "verify" -> new VerifyCommand(output);
            case "repair" -> new RepairCommand(output);
            case "compact" -> new CompactCommand(output);
            case "shard" -> new LayoutCommand.Shard(output);
            case "unshard" -> new LayoutCommand.Unshard(output);
            case "reshard" -> new LayoutCommand.Reshard(output);
            case "aggregate" -> new LayoutCommand.Aggregate(output);
            case "adopt" -> new AdoptCommand(output);
            case "references" -> new ReferencesCommand(output);
            case "serve" -> new ServeCommand(output);
            case "plugins" -> new PluginsCommand(output);
            case "completion" -> new CompletionCommand(output);
            case "help" -> new HelpCommand(output);
            case "tour" -> new TourCommand(output);
            case "conformance" -> new ConformanceCommand(output);
            case "conformance-read" -> new ConformanceReadCommand(output);
            case "conformance-batch" -> new ConformanceBatchCommand(output);
            default -> throw new IllegalArgumentException("no command is called " + name);
        };
    }
}
