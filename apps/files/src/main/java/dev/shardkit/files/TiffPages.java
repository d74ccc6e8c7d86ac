package dev.shardkit.files;

import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** The headers and directories of a TIFF file whose pages have the same size. Little-endian. Immutable. */
final class TiffPages {
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int ASCII = 2;
    private static final int LONG8 = 16;
    private static final long STRIP_BYTES = 1 << 18;
    /** Leaves room for directories. */
    private static final BigInteger CLASSIC = BigInteger.valueOf(0xf0000000L);

    private static final long MAX_STRIPS = 1L << 28;

    private final TiffFile file;
    private final boolean isBig;
    private final byte[] description;
    private final long rowBytes;
    private final long rowsPerStrip;
    /** The number of strips or tiles. */
    private final long strips;

    /** The bytes of a full strip or a tile. */
    private final long stripBytes;

    private final long firstDirectory;
    private final long otherDirectory;

    /** A field of a directory: a tag, its type, and its values. */
    private record Field(int tag, int type, long count, LongUnaryOperator value) {
        int valueBytes() {
            return type == ASCII ? 1 : type == SHORT ? 2 : type == LONG ? 4 : 8;
        }
    }

    TiffPages(TiffFile file, String description) {
        this.file = file;
        this.description = (description + '\0').getBytes(StandardCharsets.US_ASCII);
        this.rowBytes = Math.multiplyExact(file.width(), (long) file.samples() * file.bits() / 8);
        this.rowsPerStrip = Math.max(1, Math.min(file.height(), STRIP_BYTES / rowBytes));
        long tile = file.layout().tile();
        this.strips = file.layout().isTiled()
                ? Math.multiplyExact((file.width() - 1) / tile + 1, (file.height() - 1) / tile + 1)
                : (file.height() - 1) / rowsPerStrip + 1;
        this.stripBytes =
                file.layout().isTiled() ? tile * tile * file.samples() * file.bits() / 8 : rowsPerStrip * rowBytes;
        BigInteger strip =
                BigInteger.valueOf(strips).multiply(BigInteger.valueOf(16)).add(BigInteger.valueOf(512));
        BigInteger samples = file.layout().isTiled()
                ? BigInteger.valueOf(strips)
                        .multiply(BigInteger.valueOf(stripBytes))
                        .multiply(BigInteger.valueOf(file.pages()))
                : file.bytes();
        BigInteger size = samples.add(strip.multiply(BigInteger.valueOf(file.pages())));
        if (size.bitLength() > 62 || strips > MAX_STRIPS) {
            throw new UnsupportedException("the TIFF file would be too large: " + size + " bytes");
        }
        this.isBig = size.compareTo(CLASSIC) > 0;
        this.firstDirectory = size(fields(0, 0));
        this.otherDirectory = size(fields(1, 0));
    }

    /** Returns the size of the samples of a page, without what fills up tiles. */
    long pageBytes() {
        return rowBytes * file.height();
    }

    private long paddedBytes() {
        return file.layout().isTiled() ? strips * stripBytes : (pageBytes() + 7) / 8 * 8;
    }

    private long headerSize() {
        return isBig ? 16 : 8;
    }

    /** Returns the offset of a page's directory. */
    private long start(long page) {
        return headerSize() + page * paddedBytes() + (page == 0 ? 0 : firstDirectory + (page - 1) * otherDirectory);
    }

    void header(OutputStream out) throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) headerSize()).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 'I').put((byte) 'I').putShort((short) (isBig ? 43 : 42));
        if (isBig) {
            header.putShort((short) 8).putShort((short) 0).putLong(start(0));
        } else {
            header.putInt((int) start(0));
        }
        out.write(header.array());
    }

    /** Fills the samples of a page up to a multiple of eight bytes. */
    void pad(OutputStream out) throws IOException {
        if (!file.layout().isTiled()) {
            out.write(new byte[(int) (paddedBytes() - pageBytes())]);
        }
    }

    /** Writes the directory of a page, which the samples follow. */
    void directory(long page, OutputStream out) throws IOException {
        long start = start(page);
        long samples = start + (page == 0 ? firstDirectory : otherDirectory);
        List<Field> fields = fields(page, samples);
        int entry = isBig ? 20 : 12;
        int tableSize = (isBig ? 16 : 6) + entry * fields.size();
        ByteBuffer table = ByteBuffer.allocate(tableSize).order(ByteOrder.LITTLE_ENDIAN);
        count(table, fields.size());
        long free = start + aligned(tableSize);
        for (Field field : fields) {
            long size = field.count() * field.valueBytes();
            int end = table.position() + entry;
            table.putShort((short) field.tag()).putShort((short) field.type());
            offset(table, field.count());
            if (size <= (isBig ? 8 : 4)) {
                put(table, field, 0, field.count());
            } else {
                offset(table, free);
                free += aligned(size);
            }
            table.position(end);
        }
        offset(table, page + 1 < file.pages() ? start(page + 1) : 0);
        out.write(table.array());
        out.write(new byte[(int) (aligned(tableSize) - tableSize)]);
        for (Field field : fields) {
            if (field.count() * field.valueBytes() > (isBig ? 8 : 4)) {
                values(field, out);
            }
        }
    }

    private static void values(Field field, OutputStream out) throws IOException {
        int most = 4096;
        ByteBuffer piece = ByteBuffer.allocate(most * field.valueBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = 0; at < field.count(); at += most) {
            piece.clear();
            put(piece, field, at, Math.min(field.count(), at + most));
            out.write(piece.array(), 0, piece.position());
        }
        long size = field.count() * field.valueBytes();
        out.write(new byte[(int) (aligned(size) - size)]);
    }

    private static void put(ByteBuffer to, Field field, long from, long end) {
        for (long i = from; i < end; i++) {
            long value = field.value().applyAsLong(i);
            switch (field.type()) {
                case ASCII -> to.put((byte) value);
                case SHORT -> to.putShort((short) value);
                case LONG -> to.putInt((int) value);
                default -> to.putLong(value);
            }
        }
    }

    private void count(ByteBuffer to, int count) {
        if (isBig) {
            to.putLong(count);
        } else {
            to.putShort((short) count);
        }
    }

    private void offset(ByteBuffer to, long offset) {
        if (isBig) {
            to.putLong(offset);
        } else {
            to.putInt((int) offset);
        }
    }

    private static long aligned(long size) {
        return (size + 7) / 8 * 8;
    }

    private long size(List<Field> fields) {
        long size = aligned((isBig ? 16 : 6) + (isBig ? 20L : 12L) * fields.size());
        for (Field field : fields) {
            long bytes = field.count() * field.valueBytes();
            size += bytes <= (isBig ? 8 : 4) ? 0 : aligned(bytes);
        }
        return size;
    }

    /** Returns the fields in the order of their tags. */
    private List<Field> fields(long page, long samples) {
        int offsets = isBig ? LONG8 : LONG;
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(256, LONG, 1, i -> file.width()));
        fields.add(new Field(257, LONG, 1, i -> file.height()));
        fields.add(new Field(258, SHORT, file.samples(), i -> file.bits()));
        fields.add(new Field(259, SHORT, 1, i -> 1)); // no compression
        fields.add(new Field(262, SHORT, 1, i -> file.samples() > 1 ? 2 : 1)); // RGB, or black is zero
        if (page == 0) {
            fields.add(new Field(270, ASCII, description.length, i -> description[(int) i]));
        }
        boolean isTiled = file.layout().isTiled();
        if (!isTiled) {
            fields.add(new Field(273, offsets, strips, i -> samples + i * stripBytes));
        }
        fields.add(new Field(277, SHORT, 1, i -> file.samples()));
        if (!isTiled) {
            fields.add(new Field(278, LONG, 1, i -> rowsPerStrip));
            fields.add(new Field(279, offsets, strips, i -> Math.min(stripBytes, pageBytes() - i * stripBytes)));
        }
        fields.add(new Field(284, SHORT, 1, i -> 1)); // samples of a pixel side by side
        if (isTiled) {
            fields.add(new Field(322, LONG, 1, i -> file.layout().tile()));
            fields.add(new Field(323, LONG, 1, i -> file.layout().tile()));
            fields.add(new Field(324, offsets, strips, i -> samples + i * stripBytes));
            fields.add(new Field(325, offsets, strips, i -> stripBytes));
        }
        if (file.samples() == 4) {
            fields.add(new Field(338, SHORT, 1, i -> 2)); // opacity that the colours are not multiplied by
        }
        fields.add(new Field(339, SHORT, file.samples(), i -> file.sampleFormat()));
        return fields;
    }
}
