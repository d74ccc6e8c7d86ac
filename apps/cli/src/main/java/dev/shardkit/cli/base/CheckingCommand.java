package dev.shardkit.cli.base;

import dev.shardkit.cli.print.Output;

/** A command whose exit status 1 means that it found something; faults have the status 3. */
public abstract class CheckingCommand extends ShardkitCommand {
    public CheckingCommand(Output output) {
        super(output);
    }

    @Override
    public int faultStatus() {
        return 3;
    }
}
