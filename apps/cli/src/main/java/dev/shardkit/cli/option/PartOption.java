package dev.shardkit.cli.option;

import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.Part;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --part}: the part of the work that this process does, if several processes share the work. */
public final class PartOption {
    @Option(
            names = "--part",
            paramLabel = "K/N",
            description = "Do the K-th of N parts of the work, such as 3/8. Each shard belongs to one part, so the "
                    + "parts may run at once, on any machines.")
    private @Nullable String part;

    /** Returns the part; empty for the whole work. */
    public Optional<Part> part() {
        if (part == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Part.parse(part));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--part: " + e.getMessage());
        }
    }
}
