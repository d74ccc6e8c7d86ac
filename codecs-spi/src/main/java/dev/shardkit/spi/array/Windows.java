package dev.shardkit.spi.array;

/** Targets and feeds with another origin; windows of windows collapse into one. */
final class Windows {
    private Windows() {}

    record OfTarget(Target whole, long[] origin) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            whole.put(from, offset, strides, at.translate(origin));
        }

        @Override
        public void fill(FillValue value, Box at) {
            whole.fill(value, at.translate(origin));
        }

        @Override
        public Target window(Box at) {
            return new OfTarget(whole, at.translate(origin).origin());
        }
    }

    record OfFeed(Feed whole, long[] origin) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            whole.get(part.translate(origin), to, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return whole.coverage(part.translate(origin));
        }

        @Override
        public Feed window(Box at) {
            return new OfFeed(whole, at.translate(origin).origin());
        }
    }
}
