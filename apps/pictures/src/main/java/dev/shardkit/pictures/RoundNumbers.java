package dev.shardkit.pictures;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Round numbers at equal distances for the ticks of a scale: multiples of 1, 2 or 5 times a power of ten. Stateless.
 */
final class RoundNumbers {
    // Numbers in this range are written without an exponent.
    private static final double PLAIN_MIN = 1e-4;
    private static final double PLAIN_MAX = 1e7;

    private RoundNumbers() {}

    /**
     * Returns the multiples of a round step from {@code low} to {@code high}. The step is the smallest one that gives
     * at most {@code maxSteps} steps.
     *
     * @param low a finite number
     * @param high a finite number, not less than {@code low}
     * @param maxSteps the maximum number of steps between the two
     */
    static List<BigDecimal> between(double low, double high, int maxSteps) {
        double minStep = (high / maxSteps) - (low / maxSteps);
        if (!(minStep > 0)) {
            return List.of(new BigDecimal(Double.toString(low)));
        }
        int exponent = (int) Math.floor(Math.log10(minStep));
        double mantissa = minStep / Math.pow(10, exponent);
        int factor = mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10;
        BigDecimal step = BigDecimal.valueOf(factor).scaleByPowerOfTen(exponent);
        BigDecimal firstMultiple = new BigDecimal(low).divide(step, 0, RoundingMode.CEILING);
        BigDecimal lastMultiple = new BigDecimal(high).divide(step, 0, RoundingMode.FLOOR);
        List<BigDecimal> numbers = new ArrayList<>();
        for (BigDecimal i = firstMultiple; i.compareTo(lastMultiple) <= 0; i = i.add(BigDecimal.ONE)) {
            numbers.add(i.multiply(step));
        }
        return numbers;
    }

    /** Returns the text of a number without zeros at its end; with an exponent if it is very small or large. */
    static String text(BigDecimal number) {
        double size = Math.abs(number.doubleValue());
        BigDecimal shortest = number.stripTrailingZeros();
        return size == 0 ? "0" : size >= PLAIN_MIN && size < PLAIN_MAX ? shortest.toPlainString() : shortest.toString();
    }
}
