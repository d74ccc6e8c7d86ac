package dev.shardkit.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * {@code fixed_length_utf32} (zarr-extensions; NumPy's {@code U}): text of at most a given number of code points, four
 * bytes each, padded with U+0000. So a text that ends with U+0000 loses it.
 *
 * @param lengthBytes the size of an element in bytes
 */
record Utf32Type(int lengthBytes) implements DataType {
    static final String NAME = "fixed_length_utf32";
    static final String LENGTH_BYTES = "length_bytes";

    private static final int CODE_POINT_SIZE = 4;

    static Utf32Type ofBytes(long lengthBytes) {
        if (lengthBytes < CODE_POINT_SIZE || lengthBytes > Limits.LARGEST_CHUNK || lengthBytes % CODE_POINT_SIZE != 0) {
            throw new MetadataException("data type " + NAME + ": expected length_bytes from 4 to "
                    + Limits.LARGEST_CHUNK + ", a multiple of 4, found " + lengthBytes);
        }
        return new Utf32Type((int) lengthBytes);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(LENGTH_BYTES, Json.of(lengthBytes));
    }

    @Override
    public Carrier carrier() {
        return Carrier.UTF32;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(lengthBytes);
    }

    private int capacity() {
        return lengthBytes / CODE_POINT_SIZE;
    }

    @Override
    public FillValue parseFill(Json json) {
        String text = json instanceof Json.Str s ? s.value() : "";
        boolean fits = json instanceof Json.Str
                && text.codePointCount(0, text.length()) <= capacity()
                && text.codePoints().allMatch(Utf32Type::isScalar);
        if (!fits) {
            throw FillValueBits.refuse(
                    NAME, "a string of at most " + capacity() + " code points, without lone surrogates,", json);
        }
        ByteBuffer bytes = ByteBuffer.allocate(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
        text.codePoints().forEach(bytes::putInt);
        return FillValue.of(bytes.array());
    }

    @Override
    public Json formatFill(FillValue value) {
        if (value.size() != lengthBytes) {
            throw new IllegalArgumentException("a fill value of " + value.size() + " bytes for " + this);
        }
        int[] points = new int[capacity()];
        ByteBuffer.wrap(value.bytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(points);
        int length = points.length;
        while (length > 0 && points[length - 1] == 0) {
            length--;
        }
        return Json.of(new String(points, 0, length));
    }

    /** Returns whether {@code point} is a Unicode scalar value: a code point, but not a surrogate. */
    private static boolean isScalar(int point) {
        return Character.isValidCodePoint(point)
                && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
    }

    @Override
    public void check(Elements elements) {
        ByteBuffer bytes = ((Elements.Fixed) elements).bytes();
        for (int i = 0; i < bytes.limit(); i += CODE_POINT_SIZE) {
            int point = bytes.getInt(i);
            if (!isScalar(point)) {
                throw new CorruptDataException(
                        NAME + " element " + i / lengthBytes + ": expected code points of Unicode, "
                                + "found 0x"
                                + Integer.toHexString(point) + " at " + i % lengthBytes / CODE_POINT_SIZE);
            }
        }
    }

    @Override
    public String toString() {
        return NAME + Arrays.toString(new int[] {capacity()});
    }
}
