package dev.shardkit.maintenance.concat;

import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lengths of a grid's chunks along one dimension, run-length encoded: chunks of equal length that follow one
 * another are a run. Supports all chunk grids. Contains only chunks that overlap the array, unlike {@code ChunkLengths}
 * of the rectilinear grid. Used to concatenate arrays. Immutable.
 *
 * @param runs lengths with counts; neighbouring runs have different lengths
 */
record ChunkLengthRuns(List<Run> runs) {
    /**
     * The maximum number of chunks in the dimension if the grid is neither regular nor rectilinear. Such a grid has no
     * list of lengths: its method for one chunk is called for each chunk.
     */
    private static final long MAX_CHUNKS = 1 << 16;

    /** {@code count} chunks of {@code length}. */
    record Run(long length, long count) {}

    /**
     * Returns the runs of {@code grid} in dimension {@code d}. Reads them from the grid's configuration if possible.
     */
    static ChunkLengthRuns of(ChunkGrid grid, int d) {
        long cells = grid.gridShape()[d];
        Collector runs = new Collector(cells);
        Json.Obj configuration = grid.configuration();
        Optional<Json> lengths =
                switch (grid.name()) {
                    case "regular" -> configuration.get("chunk_shape");
                    case "rectilinear" -> configuration.get("chunk_shapes");
                    default -> Optional.empty();
                };
        if (lengths.isPresent() && lengths.get() instanceof Json.Arr dimensions) {
            runs.add(dimensions.items().get(d));
        } else {
            runs.addFromGrid(grid, d);
        }
        return runs.toRuns();
    }

    /** Concatenates runs. */
    static ChunkLengthRuns concat(List<ChunkLengthRuns> parts) {
        Collector runs = new Collector(Long.MAX_VALUE);
        parts.forEach(part -> part.runs().forEach(run -> runs.add(run.length(), run.count())));
        return runs.toRuns();
    }

    /** Returns the number of chunks. */
    long cells() {
        return runs.stream().mapToLong(Run::count).reduce(0, Math::addExact);
    }

    /** Returns the index at which the last chunk ends: the sum of all lengths. */
    long end() {
        return runs.stream()
                .mapToLong(run -> Math.multiplyExact(run.length(), run.count()))
                .reduce(0, Math::addExact);
    }

    /** Returns a copy whose last chunk has another length. */
    ChunkLengthRuns withLast(long length) {
        Run last = runs.get(runs.size() - 1);
        Collector changed = new Collector(Long.MAX_VALUE);
        runs.subList(0, runs.size() - 1).forEach(run -> changed.add(run.length(), run.count()));
        changed.add(last.length(), last.count() - 1);
        changed.add(length, 1);
        return changed.toRuns();
    }

    /** Returns the length of each chunk; empty if chunks differ. */
    Optional<Long> uniformLength() {
        return runs.size() == 1 ? Optional.of(runs.get(0).length()) : Optional.empty();
    }

    /**
     * Returns the lengths as JSON, in the form of a rectilinear grid's metadata: one number if all are equal; otherwise
     * a list of lengths and of pairs (length, count).
     */
    Json json() {
        if (uniformLength().isPresent()) {
            return Json.of(uniformLength().get());
        }
        return new Json.Arr(runs.stream()
                .map(run -> run.count() == 1 ? Json.of(run.length()) : Json.of(new long[] {run.length(), run.count()}))
                .toList());
    }

    /** Collects lengths in runs, up to a number of chunks. Ignores further chunks. */
    private static final class Collector {
        private final List<Run> runs = new ArrayList<>();
        private long remaining;

        Collector(long cells) {
            this.remaining = cells;
        }

        void add(long length, long count) {
            long added = Math.min(remaining, count);
            if (added == 0) {
                return;
            }
            remaining -= added;
            Optional<Run> last = runs.isEmpty() ? Optional.empty() : Optional.of(runs.get(runs.size() - 1));
            if (last.isPresent() && last.get().length() == length) {
                runs.set(runs.size() - 1, new Run(length, last.get().count() + added));
            } else {
                runs.add(new Run(length, added));
            }
        }

        /** Adds lengths in the form of {@link ChunkLengthRuns#json}. A single number is the length of all chunks. */
        void add(Json lengths) {
            if (!(lengths instanceof Json.Arr list)) {
                add(number(lengths), remaining);
                return;
            }
            for (Json item : list.items()) {
                if (item instanceof Json.Arr pair) {
                    add(number(pair.items().get(0)), number(pair.items().get(1)));
                } else {
                    add(number(item), 1);
                }
            }
        }

        private static long number(Json json) {
            return Long.parseLong(((Json.Num) json).lexeme());
        }

        /** Adds the length of each chunk of a grid that is neither regular nor rectilinear. */
        void addFromGrid(ChunkGrid grid, int d) {
            if (remaining > MAX_CHUNKS) {
                throw new UnsupportedException("a chunk grid \"" + grid.name() + "\" with " + remaining
                        + " chunks in dimension " + d + "; the limit is " + MAX_CHUNKS);
            }
            long[] cell = new long[grid.gridShape().length];
            for (long i = 0, cells = remaining; i < cells; i++) {
                cell[d] = i;
                add(grid.chunk(cell).shape(d), 1);
            }
        }

        ChunkLengthRuns toRuns() {
            return new ChunkLengthRuns(List.copyOf(runs));
        }
    }
}
