package dev.shardkit.cli.print.elements;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Elements with the values that are stored, or the times that these values mean (with {@code --decode-times}).
 *
 * @param times formats elements as times; empty to print the stored values
 */
record StoredElements(DataType type, Optional<DecodeTimesOption.Decoder> times, Elements elements)
        implements PrintedElements {
    /** The number of bytes that are copied to the output at once. */
    private static final int PIECE_SIZE = 1 << 16;
    /** A number that JSON can only show as a string, such as {@code "NaN"}. */
    private static final Pattern QUOTED_NUMBER = Pattern.compile("\"([A-Za-z0-9+.-]+)\"");

    @Override
    public int count() {
        return Math.toIntExact(elements.count());
    }

    @Override
    public String text(int i) {
        String json = json(i).toString();
        boolean isRecord = !type.fields().isEmpty();
        boolean isFixedText = type.carrier() == Carrier.UTF32 || type.name().equals("null_terminated_bytes");
        if (isRecord || isFixedText || type.carrier().isVariable() || json.indexOf('"') < 0) {
            return json;
        }
        return times.isPresent()
                ? json.substring(1, json.length() - 1)
                : QUOTED_NUMBER.matcher(json).replaceAll("$1");
    }

    @Override
    public Json json(int i) {
        byte[] bytes;
        if (elements instanceof Elements.Variable variable) {
            bytes = variable.values()[i];
        } else {
            Elements.Fixed fixed = (Elements.Fixed) elements;
            bytes = new byte[fixed.elementSize()];
            fixed.bytes().get(i * fixed.elementSize(), bytes);
        }
        return times.isPresent() ? times.get().toJson(bytes) : type.show(FillValue.of(bytes));
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        if (elements instanceof Elements.Variable variable) {
            ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            for (byte[] value : variable.values()) {
                out.write(size.putInt(0, value.length).array());
                out.write(value);
            }
            return;
        }
        byte[] piece = new byte[PIECE_SIZE];
        ByteBuffer bytes = ((Elements.Fixed) elements).bytes().duplicate().rewind();
        while (bytes.hasRemaining()) {
            int length = Math.min(PIECE_SIZE, bytes.remaining());
            bytes.get(piece, 0, length);
            out.write(piece, 0, length);
        }
    }
}
