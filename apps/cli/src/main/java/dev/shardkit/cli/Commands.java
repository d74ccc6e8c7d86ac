package dev.shardkit.cli;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.command.conformance.ConformanceBatchCommand;
import dev.shardkit.cli.command.conformance.ConformanceCommand;
import dev.shardkit.cli.command.conformance.ConformanceReadCommand;
import dev.shardkit.cli.command.copy.ConvertCommand;
import dev.shardkit.cli.command.copy.CopyCommand;
import dev.shardkit.cli.command.copy.MoveCommand;
import dev.shardkit.cli.command.files.AdoptCommand;
import dev.shardkit.cli.command.files.ConcatCommand;
import dev.shardkit.cli.command.files.ExportCommand;
import dev.shardkit.cli.command.files.ImportCommand;
import dev.shardkit.cli.command.files.ReferencesCommand;
import dev.shardkit.cli.command.look.AbstractSizeCommand;
import dev.shardkit.cli.command.look.ChunksCommand;
import dev.shardkit.cli.command.look.DiffCommand;
import dev.shardkit.cli.command.look.HeadCommand;
import dev.shardkit.cli.command.look.InfoCommand;
import dev.shardkit.cli.command.look.ListCommand;
import dev.shardkit.cli.command.look.MapCommand;
import dev.shardkit.cli.command.look.PreviewCommand;
import dev.shardkit.cli.command.look.ReadCommand;
import dev.shardkit.cli.command.look.ReportCommand;
import dev.shardkit.cli.command.look.StatsCommand;
import dev.shardkit.cli.command.maintain.AbstractLayoutCommand;
import dev.shardkit.cli.command.maintain.AdviseCommand;
import dev.shardkit.cli.command.maintain.CompactCommand;
import dev.shardkit.cli.command.maintain.RepairCommand;
import dev.shardkit.cli.command.maintain.VerifyCommand;
import dev.shardkit.cli.command.ome.OmeCommand;
import dev.shardkit.cli.command.ome.PyramidCommand;
import dev.shardkit.cli.command.serve.ServeCommand;
import dev.shardkit.cli.command.serve.TourCommand;
import dev.shardkit.cli.command.write.AppendCommand;
import dev.shardkit.cli.command.write.AttrsCommand;
import dev.shardkit.cli.command.write.ConsolidateCommand;
import dev.shardkit.cli.command.write.CreateCommand;
import dev.shardkit.cli.command.write.EraseCommand;
import dev.shardkit.cli.command.write.GroupCommand;
import dev.shardkit.cli.command.write.RemoveCommand;
import dev.shardkit.cli.command.write.ResizeCommand;
import dev.shardkit.cli.command.write.WriteCommand;
import dev.shardkit.cli.print.Output;
import java.util.List;

/** Lists and creates the subcommands. A new command must be added twice: to {@code NAMES} and to {@code create}. */
public final class Commands {
    /** The names, in the order of the help. */
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

    /** Creates one command. If all commands are created, the start is noticeably slower. */
    static ShardkitCommand create(String name, Output output) {
        return switch (name) {
            case "info" -> new InfoCommand(output);
            case "ls" -> new ListCommand(output);
            case "tree" -> new AbstractSizeCommand.Tree(output);
            case "du" -> new AbstractSizeCommand.Usage(output);
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
            case "shard" -> new AbstractLayoutCommand.Shard(output);
            case "unshard" -> new AbstractLayoutCommand.Unshard(output);
            case "reshard" -> new AbstractLayoutCommand.Reshard(output);
            case "aggregate" -> new AbstractLayoutCommand.Aggregate(output);
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
