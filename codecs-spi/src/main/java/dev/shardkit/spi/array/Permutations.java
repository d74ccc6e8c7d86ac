package dev.shardkit.spi.array;

/** Views of targets and feeds with reordered dimensions; {@code back} maps the view's boxes to the original's. */
final class Permutations {
    private Permutations() {}

    record OfTarget(Target whole, int[] back) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            whole.put(from, offset, Shapes.permute(strides, back), at.permute(back));
        }

        @Override
        public void fill(FillValue value, Box at) {
            whole.fill(value, at.permute(back));
        }
    }

    record OfFeed(Feed whole, int[] back) implements Feed {
        @Override
        public void get(Box part, Elements to, long offset, long[] strides) {
            whole.get(part.permute(back), to, offset, Shapes.permute(strides, back));
        }

        @Override
        public Coverage coverage(Box part) {
            return whole.coverage(part.permute(back));
        }
    }
}
