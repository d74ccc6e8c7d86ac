package dev.shardkit.cf.geo;

/**
 * The western, southern, eastern and northern limit of an area, in units of its coordinate reference system.
 *
 * @param minX the western limit. In degrees of longitude, it may be larger than {@code maxX} if the area crosses the
 *     antimeridian
 * @param minY the smallest y
 * @param maxX the eastern limit
 * @param maxY the largest y
 */
public record BoundingBox(double minX, double minY, double maxX, double maxY) {
    /**
     * Creates a box.
     *
     * @throws IllegalArgumentException if a number is not finite, or minY is larger than maxY
     */
    public BoundingBox {
        if (!(minY <= maxY) || !Double.isFinite(maxX - minX) || !Double.isFinite(maxY - minY)) {
            throw new IllegalArgumentException("expected finite numbers with minY <= maxY, found x from " + minX
                    + " to " + maxX + " and y from " + minY + " to " + maxY);
        }
    }

    @Override
    public String toString() {
        return "x " + minX + " to " + maxX + ", y " + minY + " to " + maxY;
    }
}
