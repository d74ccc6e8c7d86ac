package dev.shardkit.cli.base;

import dev.shardkit.cli.print.Output;

/** A command that checks data: exit status 1 means that it found a problem, and 3 that the check failed. */
public abstract class CheckingCommand extends ShardkitCommand {
    public CheckingCommand(Output output) {
        super(output);
    }

    @Override
    public int faultStatus() {
        return 3;
    }
}
