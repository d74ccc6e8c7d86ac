package dev.shardkit.conformance;

import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits within which a tool must answer a row. A tool that exceeds one is killed.
 *
 * @param file the file for its values
 * @param bytes the maximum size of that file, far above any expected one; it protects the disk
 * @param time the time limit
 * @param memory the maximum growth of the tool's memory in bytes; empty for valid arrays
 */
record RowLimits(Path file, long bytes, Duration time, OptionalLong memory) {
    /** The maximum size of the file of values is this number of bytes and {@link #TIMES} times the expected size. */
    private static final long ROOM = 64L << 20;

    /** How many times larger than the expected file a file may be, for example in another notation of JSON. */
    private static final long TIMES = 8;
    /** The maximum time limit of malformed rows: a refusal needs no long work. */
    private static final Duration MAX_REFUSAL_TIME = Duration.ofSeconds(20);

    /**
     * Returns the limits of a row.
     *
     * @param timeout the time limit that the user has set
     * @param memory the maximum growth of memory for malformed arrays
     */
    static RowLimits of(Row row, Path file, Duration timeout, long memory) throws IOException {
        if (row.kind() == Row.Kind.MALFORMED) {
            Duration time = timeout.compareTo(MAX_REFUSAL_TIME) < 0 ? timeout : MAX_REFUSAL_TIME;
            return new RowLimits(file, ROOM, time, OptionalLong.of(memory));
        }
        long expected = Files.size(row.expected().orElseThrow().file());
        return new RowLimits(file, ROOM + TIMES * expected, timeout, OptionalLong.empty());
    }

    /** Returns the limit that a running tool has exceeded, if any. */
    Optional<End> passed(long nanos, OptionalLong grown) {
        if (isLarger(grown)) {
            return Optional.of(End.COSTLY);
        }
        if (isFileLarger()) {
            return Optional.of(End.FLOOD);
        }
        return nanos >= time.toNanos() ? Optional.of(End.TIMEOUT) : Optional.empty();
    }

    /** Returns whether memory has grown beyond the limit. */
    boolean isLarger(OptionalLong grown) {
        return grown.isPresent() && memory.isPresent() && grown.getAsLong() > memory.getAsLong();
    }

    private boolean isFileLarger() {
        try {
            return Files.isRegularFile(file) && Files.size(file) > bytes;
        } catch (IOException e) {
            return false; // the file was deleted in the meantime
        }
    }

    /** Describes an exceeded limit. */
    String detail(End end) {
        return switch (end) {
            case COSTLY -> "took more than " + (memory.orElse(0) >> 20) + " MiB of memory";
            case FLOOD -> "wrote more than " + bytes + " bytes of values";
            case TIMEOUT -> "no answer within " + time.toSeconds() + " s";
            default -> "";
        };
    }
}
