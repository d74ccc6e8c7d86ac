package dev.shardkit.selection;

/** The indices that a selection takes along one dimension, in order. Immutable. */
public sealed interface AxisSelection {
    /** Returns how many indices there are. */
    long count();

    /** Returns the index at position {@code i}. */
    long index(long i);

    /** Returns the selection of the indices at {@code positions} of this one. */
    AxisSelection select(AxisSelection positions);

    /** Returns all indices of a dimension. */
    static AxisSelection all(long length) {
        return new Steps(0, 1, length);
    }

    /**
     * Indices at equal distances.
     *
     * @param first the first index
     * @param step the distance, negative for descending indices; 1 if there are fewer than two indices
     * @param count how many indices there are
     */
    record Steps(long first, long step, long count) implements AxisSelection {
        /** Sets the step of fewer than two indices to 1. */
        public Steps {
            step = count < 2 ? 1 : step;
        }

        @Override
        public long index(long i) {
            return first + i * step;
        }

        @Override
        public AxisSelection select(AxisSelection positions) {
            if (positions instanceof Steps p) {
                return p.count() == 0 ? p : new Steps(index(p.first()), p.step() * step, p.count());
            }
            return selectListed(this, (Listed) positions);
        }
    }

    /** Indices in any order; an index may occur more than once. */
    final class Listed implements AxisSelection {
        final long[] indices;

        /** Copies {@code indices}. */
        public Listed(long... indices) {
            this.indices = indices.clone();
        }

        @Override
        public long count() {
            return indices.length;
        }

        @Override
        public long index(long i) {
            return indices[Math.toIntExact(i)];
        }

        @Override
        public AxisSelection select(AxisSelection positions) {
            if (positions instanceof Steps p) {
                long[] selected = new long[Math.toIntExact(p.count())];
                for (int i = 0; i < selected.length; i++) {
                    selected[i] = index(p.index(i));
                }
                return new Listed(selected);
            }
            return selectListed(this, (Listed) positions);
        }
    }

    private static Listed selectListed(AxisSelection axis, Listed positions) {
        long[] selected = new long[positions.indices.length];
        for (int i = 0; i < selected.length; i++) {
            selected[i] = axis.index(positions.indices[i]);
        }
        return new Listed(selected);
    }
}
