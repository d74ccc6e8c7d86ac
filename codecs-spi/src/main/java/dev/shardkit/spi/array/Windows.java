package dev.shardkit.spi.array;

/** Targets and feeds with the origin of a base box; windows of windows collapse into one. */
final class Windows {
    private Windows() {}

    record OfTarget(Target whole, Box base) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            whole.put(from, offset, strides, at.within(base));
        }

        @Override
        public void fill(FillValue value, Box at) {
            whole.fill(value, at.within(base));
        }

        @Override
        public Target window(Box at) {
            return new OfTarget(whole, at.within(base));
        }
    }

    record OfFeed(Feed whole, Box base) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            whole.get(part.within(base), to, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return whole.coverage(part.within(base));
        }

        @Override
        public Feed window(Box at) {
            return new OfFeed(whole, at.within(base));
        }
    }
}
