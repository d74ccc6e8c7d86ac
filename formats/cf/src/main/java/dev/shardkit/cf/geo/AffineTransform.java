package dev.shardkit.cf.geo;

/**
 * Maps positions in a grid to coordinates: {@code x = a * column + b * row + c} and {@code y = d * column + e * row +
 * f}. The order is that of the convention {@code spatial:} and of rasterio; GDAL's geotransform is {@code c a b f d e}.
 *
 * @param a change of x from column to column
 * @param b change of x from row to row; 0 unless the grid is rotated or sheared
 * @param c x at column 0 and row 0
 * @param d change of y from column to column; 0 unless the grid is rotated or sheared
 * @param e change of y from row to row; negative where the first row is the northern one
 * @param f y at column 0 and row 0
 */
public record AffineTransform(double a, double b, double c, double d, double e, double f) {
    /**
     * Creates a transform.
     *
     * @throws IllegalArgumentException if a number is not finite, or if the transform maps the grid to a line or a
     *     point
     */
    public AffineTransform {
        for (double coefficient : new double[] {a, b, c, d, e, f}) {
            if (!Double.isFinite(coefficient)) {
                throw new IllegalArgumentException("expected finite coefficients, found " + coefficient);
            }
        }
        double determinant = a * e - b * d;
        if (determinant == 0 || !Double.isFinite(determinant)) {
            throw new IllegalArgumentException("expected a transform that can be inverted, found the determinant "
                    + determinant + " of " + a + " " + b + " " + d + " " + e);
        }
    }

    /**
     * Returns x at a position; whole numbers are corners of cells if the registration is
     * {@link Georeference.Registration#PIXEL}.
     */
    public double x(double row, double column) {
        return a * column + b * row + c;
    }

    /** Returns y at a position in the grid. */
    public double y(double row, double column) {
        return d * column + e * row + f;
    }

    /** Returns the row of a point, with its fraction. */
    public double row(double x, double y) {
        return (a * (y - f) - d * (x - c)) / (a * e - b * d);
    }

    /** Returns the column of a point, with its fraction. */
    public double column(double x, double y) {
        return (e * (x - c) - b * (y - f)) / (a * e - b * d);
    }

    double[] coefficients() {
        return new double[] {a, b, c, d, e, f};
    }
}
