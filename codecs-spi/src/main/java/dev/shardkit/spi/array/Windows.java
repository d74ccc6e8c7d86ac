package dev.shardkit.spi.array;

/** Targets and feeds with the origin of a base box; windows of windows collapse into one. */
final class Windows {
    private Windows() {}

    record OfTarget(Target whole, Box base) implements Target {
        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            whole.put(source, offset, strides, box.within(base));
        }

        @Override
        public void fill(FillValue value, Box box) {
            whole.fill(value, box.within(base));
        }

        @Override
        public Target window(Box box) {
            return new OfTarget(whole, box.within(base));
        }
    }

    record OfFeed(Feed whole, Box base) implements Feed {
        @Override
        public void get(Box part, Elements destination, long offset, long[] strides) {
            whole.get(part.within(base), destination, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return whole.coverage(part.within(base));
        }

        @Override
        public Feed window(Box box) {
            return new OfFeed(whole, box.within(base));
        }
    }
}
