package dev.shardkit.spi.array;

/**
 * Views of one box of a target or feed, with coordinates from the origin of that box. A window of a window refers to
 * the original directly.
 */
final class OffsetViews {
    private OffsetViews() {}

    record OfTarget(Target original, Box base) implements Target {
        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            original.put(source, offset, strides, box.within(base));
        }

        @Override
        public void fill(FillValue value, Box box) {
            original.fill(value, box.within(base));
        }

        @Override
        public Target window(Box box) {
            return new OfTarget(original, box.within(base));
        }
    }

    record OfFeed(Feed original, Box base) implements Feed {
        @Override
        public void get(Box part, Elements destination, long offset, long[] strides) {
            original.get(part.within(base), destination, offset, strides);
        }

        @Override
        public Coverage coverage(Box part) {
            return original.coverage(part.within(base));
        }

        @Override
        public Feed window(Box box) {
            return new OfFeed(original, box.within(base));
        }
    }
}
