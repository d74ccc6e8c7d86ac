package dev.shardkit.cli;

import java.util.List;

/** The commands, in the order of the help. Add a new command here. */
final class Commands {
    private Commands() {}

    static List<ShardkitCommand> all(Output output) {
        return List.of(
                new InfoCommand(output),
                new ListCommand(output),
                new SizeCommand.Tree(output),
                new SizeCommand.Usage(output),
                new HeadCommand(output),
                new ReadCommand(output),
                new ExportCommand(output),
                new CreateCommand(output),
                new ImportCommand(output),
                new WriteCommand(output),
                new AppendCommand(output),
                new CopyCommand(output),
                new ConvertCommand(output),
                new ConcatCommand(output),
                new GroupCommand(output),
                new AttrsCommand(output),
                new ResizeCommand(output),
                new MoveCommand(output),
                new RemoveCommand(output),
                new ConsolidateCommand(output),
                new AdviseCommand(output),
                new PreviewCommand(output),
                new ReportCommand(output),
                new StatsCommand(output),
                new DiffCommand(output),
                new MapCommand(output),
                new ChunksCommand(output),
                new VerifyCommand(output),
                new RepairCommand(output),
                new CompactCommand(output),
                new LayoutCommand.Shard(output),
                new LayoutCommand.Unshard(output),
                new LayoutCommand.Reshard(output),
                new LayoutCommand.Aggregate(output),
                new AdoptCommand(output),
                new ServeCommand(output),
                new PluginsCommand(output),
                new CompletionCommand(output),
                new TourCommand(output),
                new ConformanceCommand(output),
                new ConformanceReadCommand(output),
                new ConformanceBatchCommand(output));
    }
}
