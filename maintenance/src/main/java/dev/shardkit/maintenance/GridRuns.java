package dev.shardkit.maintenance;

import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lengths of a grid's chunks along one dimension, as runs of equal ones; only of chunks that have something of the
 * array. Memory goes by the number of runs. Immutable, a value.
 *
 * @param runs lengths and how often each comes, equal neighbours as one
 */
record GridRuns(List<Run> runs) {
    private static final long MOST_ASKED = 1 << 16;

    /** {@code count} chunks of {@code length}. */
    record Run(long length, long count) {}

    /** Those of {@code grid} in dimension {@code d}. */
    static GridRuns of(ChunkGrid grid, int d) {
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

    /** One behind the other. */
    static GridRuns concat(List<GridRuns> parts) {
        Collector runs = new Collector(Long.MAX_VALUE);
        parts.forEach(part -> part.runs().forEach(run -> runs.add(run.length(), run.count())));
        return runs.done();
    }

    /** How many chunks there are. */
    long cells() {
        return runs.stream().mapToLong(Run::count).reduce(0, Math::addExact);
    }

    /** Where the last chunk ends. */
    long sum() {
        return runs.stream()
                .mapToLong(run -> Math.multiplyExact(run.length(), run.count()))
                .reduce(0, Math::addExact);
    }

    /** The same with another length of the last chunk. */
    GridRuns withLast(long length) {
        Run last = runs.get(runs.size() - 1);
        Collector changed = new Collector(Long.MAX_VALUE);
        runs.subList(0, runs.size() - 1).forEach(run -> changed.add(run.length(), run.count()));
        changed.add(last.length(), last.count() - 1);
        changed.add(length, 1);
        return changed.done();
    }

    /** The length of all chunks, if they have one. */
    Optional<Long> single() {
        return runs.size() == 1 ? Optional.of(runs.get(0).length()) : Optional.empty();
    }

    /** As the metadata of a rectilinear grid have it; one length stands for as many chunks as there are. */
    Json json() {
        if (single().isPresent()) {
            return Json.of(single().get());
        }
        return new Json.Arr(runs.stream()
                .map(run -> run.count() == 1 ? Json.of(run.length()) : Json.of(new long[] {run.length(), run.count()}))
                .toList());
    }

    /** Collects runs of so many chunks. */
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

        /** A length, or a list of lengths and of pairs of a length and a count. */
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

        /** Another kind of grid is asked for each of its chunks. */
        void ask(ChunkGrid grid, int d) {
            if (left > MOST_ASKED) {
                throw new UnsupportedException("a chunk grid \"" + grid.name() + "\" of " + left
                        + " chunks in dimension " + d + ", of which " + MOST_ASKED + " are looked at");
            }
            long[] cell = new long[grid.cells().length];
            for (long i = 0, cells = left; i < cells; i++) {
                cell[d] = i;
                add(grid.chunk(cell).shape(d), 1);
            }
        }

        GridRuns done() {
            return new GridRuns(List.copyOf(runs));
        }
    }
}
