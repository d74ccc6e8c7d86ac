package dev.shardkit.spi.array;

/**
 * Views of targets and feeds with reordered dimensions. Dimension i of the original is dimension {@code back[i]} of the
 * view.
 */
final class TransposedViews {
    private TransposedViews() {}

    record OfTarget(Target original, int[] back) implements Target {
        @Override
        public void put(Elements source, long offset, long[] strides, Box box) {
            original.put(source, offset, Shapes.permute(strides, back), box.permute(back));
        }

        @Override
        public void fill(FillValue value, Box box) {
            original.fill(value, box.permute(back));
        }
    }

    record OfFeed(Feed original, int[] back) implements Feed {
        @Override
        public void get(Box part, Elements destination, long offset, long[] strides) {
            original.get(part.permute(back), destination, offset, Shapes.permute(strides, back));
        }

        @Override
        public Coverage coverage(Box part) {
            return original.coverage(part.permute(back));
        }
    }
}
