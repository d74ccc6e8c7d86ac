package dev.shardkit.maintenance.concat;

import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lengths of a grid's chunks along one dimension, run-length encoded; only of chunks that overlap the array. Uses
 * memory in proportion to the number of runs. Immutable, a value.
 *
 * @param runs lengths with counts; neighbouring runs have different lengths
 */
record ChunkLengthRuns(List<Run> runs) {
    private static final long MAX_CHUNKS = 1 << 16;

    /** {@code count} chunks of {@code length}. */
    record Run(long length, long count) {}

    /** Returns the runs of {@code grid} in dimension {@code d}. */
    static ChunkLengthRuns of(ChunkGrid grid, int d) {
        long cells = grid.cells()[d];
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
            runs.ask(grid, d);
        }
        return runs.done();
    }

    /** Concatenates runs. */
    static ChunkLengthRuns concat(List<ChunkLengthRuns> parts) {
        Collector runs = new Collector(Long.MAX_VALUE);
        parts.forEach(part -> part.runs().forEach(run -> runs.add(run.length(), run.count())));
        return runs.done();
    }

    /** Returns the number of chunks. */
    long cells() {
        return runs.stream().mapToLong(Run::count).reduce(0, Math::addExact);
    }

    /** Returns the end of the last chunk. */
    long sum() {
        return runs.stream()
                .mapToLong(run -> Math.multiplyExact(run.length(), run.count()))
                .reduce(0, Math::addExact);
    }

    /** Returns a copy with another length of the last chunk. */
    ChunkLengthRuns withLast(long length) {
        Run last = runs.get(runs.size() - 1);
        Collector changed = new Collector(Long.MAX_VALUE);
        runs.subList(0, runs.size() - 1).forEach(run -> changed.add(run.length(), run.count()));
        changed.add(last.length(), last.count() - 1);
        changed.add(length, 1);
        return changed.done();
    }

    /** Returns the length of all chunks, if they have the same length. */
    Optional<Long> single() {
        return runs.size() == 1 ? Optional.of(runs.get(0).length()) : Optional.empty();
    }

    /** Returns the runs as JSON, in the form of a rectilinear grid's metadata. */
    Json json() {
        if (single().isPresent()) {
            return Json.of(single().get());
        }
        return new Json.Arr(runs.stream()
                .map(run -> run.count() == 1 ? Json.of(run.length()) : Json.of(new long[] {run.length(), run.count()}))
                .toList());
    }

    /** Collects runs. */
    private static final class Collector {
        private final List<Run> runs = new ArrayList<>();
        private long left;

        Collector(long cells) {
            this.left = cells;
        }

        void add(long length, long count) {
            long taken = Math.min(left, count);
            if (taken == 0) {
                return;
            }
            left -= taken;
            Optional<Run> last = runs.isEmpty() ? Optional.empty() : Optional.of(runs.get(runs.size() - 1));
            if (last.isPresent() && last.get().length() == length) {
                runs.set(runs.size() - 1, new Run(length, last.get().count() + taken));
            } else {
                runs.add(new Run(length, taken));
            }
        }

        /** Adds a length, or a list of lengths and of pairs of a length and a count. */
        void add(Json lengths) {
            if (!(lengths instanceof Json.Arr list)) {
                add(number(lengths), left);
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

        /** Reads the length of each chunk from a grid of another kind. */
        void ask(ChunkGrid grid, int d) {
            if (left > MAX_CHUNKS) {
                throw new UnsupportedException("a chunk grid \"" + grid.name() + "\" with " + left
                        + " chunks in dimension " + d + "; the limit is " + MAX_CHUNKS);
            }
            long[] cell = new long[grid.cells().length];
            for (long i = 0, cells = left; i < cells; i++) {
                cell[d] = i;
                add(grid.chunk(cell).shape(d), 1);
            }
        }

        ChunkLengthRuns done() {
            return new ChunkLengthRuns(List.copyOf(runs));
        }
    }
}
