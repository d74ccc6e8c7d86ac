package dev.shardkit.imglib2;

import net.imglib2.img.basictypeaccess.volatiles.VolatileArrayDataAccess;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileBooleanArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileByteArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileDoubleArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileFloatArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileIntArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileLongArray;
import net.imglib2.img.basictypeaccess.volatiles.array.VolatileShortArray;

/** Wraps Java arrays of pixels in the array accesses of ImgLib2. The arrays are shared, not copied. */
final class CellData {
    private CellData() {}

    /**
     * Returns the data of a cell, for images with plain or with volatile pixels.
     *
     * @param isValid whether the pixels have been read; volatile pixels show it
     */
    static VolatileArrayDataAccess<?> of(Object array, boolean isValid) {
        if (array instanceof byte[] bytes) {
            return new VolatileByteArray(bytes, isValid);
        } else if (array instanceof short[] shorts) {
            return new VolatileShortArray(shorts, isValid);
        } else if (array instanceof int[] ints) {
            return new VolatileIntArray(ints, isValid);
        } else if (array instanceof long[] longs) {
            return new VolatileLongArray(longs, isValid);
        } else if (array instanceof float[] floats) {
            return new VolatileFloatArray(floats, isValid);
        } else if (array instanceof double[] doubles) {
            return new VolatileDoubleArray(doubles, isValid);
        }
        return new VolatileBooleanArray((boolean[]) array, isValid);
    }

    /** Returns a Java array for {@code count} pixels. */
    static Object array(PixelType type, int count) {
        return switch (type.dataType().carrier()) {
            case BOOLEAN -> new boolean[count];
            case BYTE -> new byte[count];
            case SHORT -> new short[count];
            case INT -> new int[count];
            case LONG -> new long[count];
            case FLOAT -> new float[count];
            case DOUBLE -> new double[count];
            default -> throw new IllegalStateException(type + " has no pixels");
        };
    }
}
