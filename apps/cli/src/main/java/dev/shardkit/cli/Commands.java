package dev.shardkit.cli;

import java.util.List;

/** The commands, in the order of the help. Add a new command here, to both lists. */
final class Commands {
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

    /** Makes all commands. */
    static List<ShardkitCommand> all(Output output) {
        return NAMES.stream().map(name -> named(name, output)).toList();
    }

    /** Whether there is a command of this name. */
    static boolean has(String name) {
        return NAMES.contains(name);
    }

    /** Makes one command. A start that makes all of them takes noticeably longer. */
    static ShardkitCommand named(String name, Output output) {
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
