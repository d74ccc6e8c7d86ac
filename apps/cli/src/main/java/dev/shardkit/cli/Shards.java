package dev.shardkit.cli;

import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --shard-shape}. */
final class Shards {
    private static final String NONE = "none";

    private Shards() {}

    /** Returns the shape; empty for {@code none}. */
    static Optional<long[]> shape(String text) {
        if (text.strip().equals(NONE)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Lengths.parse(text).values());
        } catch (TypeConversionException e) {
            throw new WrongUse("--shard-shape: expected lengths such as 512,512, or none, found \"" + text + "\"");
        }
    }
}
