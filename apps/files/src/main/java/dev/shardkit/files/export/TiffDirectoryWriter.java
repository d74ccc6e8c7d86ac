package dev.shardkit.files.export;

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

/**
 * Writes the header and the directories of a TIFF file whose pages have the same size. {@link TiffExport} writes the
 * samples. The header is followed by the pages. Each page is a directory, the values that do not fit into the
 * directory, the samples, and padding. Each of these parts begins at a multiple of eight bytes. Numbers are
 * little-endian. All offsets are computed in advance, so the file can be written to a stream. Immutable.
 */
public final class TiffDirectoryWriter {
    // the numbers of the types of fields in TIFF; LONG8 exists in BigTIFF only
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int ASCII = 2;
    private static final int LONG8 = 16;
    /** The maximum size of a strip in bytes, unless a row is larger. */
    private static final long STRIP_BYTES = 1 << 18;
    /**
     * The maximum estimated size of a classic TIFF file, whose offsets have 32 bits. Larger files become BigTIFF, with
     * offsets of 64 bits.
     */
    private static final BigInteger MAX_CLASSIC_SIZE = BigInteger.valueOf(0xf0000000L);

    private static final long MAX_STRIPS = 1L << 28;

    private final TiffExport file;
    private final boolean isBigTiff;
    private final byte[] description;
    private final long rowBytes;
    private final long rowsPerStrip;
    /** The number of strips or tiles. */
    private final long strips;

    /** The size of a full strip or a tile in bytes. */
    private final long stripBytes;

    /** The size of the first directory, which has the description, and its values. */
    private final long firstDirectorySize;

    private final long otherDirectorySize;

    /**
     * A field of a directory.
     *
     * @param tag the number that says what the field is
     * @param type the type of the values
     * @param value returns the value at an index from 0 to {@code count - 1}
     */
    private record Field(int tag, int type, long count, LongUnaryOperator value) {
        int valueBytes() {
            return type == ASCII ? 1 : type == SHORT ? 2 : type == LONG ? 4 : 8;
        }
    }

    public TiffDirectoryWriter(TiffExport file, String description) {
        this.file = file;
        this.description = (description + '\0').getBytes(StandardCharsets.US_ASCII);
        this.rowBytes = Math.multiplyExact(file.width(), (long) file.samples() * file.bits() / 8);
        this.rowsPerStrip = Math.max(1, Math.min(file.height(), STRIP_BYTES / rowBytes));
        long tile = file.layout().tileSize();
        this.strips = file.layout().isTiled()
                ? Math.multiplyExact((file.width() - 1) / tile + 1, (file.height() - 1) / tile + 1)
                : (file.height() - 1) / rowsPerStrip + 1;
        this.stripBytes =
                file.layout().isTiled() ? tile * tile * file.samples() * file.bits() / 8 : rowsPerStrip * rowBytes;
        // an estimate for each page: 16 bytes for the offset and size of each strip, and 512 for the other fields
        BigInteger directoryBytes =
                BigInteger.valueOf(strips).multiply(BigInteger.valueOf(16)).add(BigInteger.valueOf(512));
        BigInteger sampleBytes = file.layout().isTiled()
                ? BigInteger.valueOf(strips)
                        .multiply(BigInteger.valueOf(stripBytes))
                        .multiply(BigInteger.valueOf(file.pages()))
                : file.sampleBytes();
        BigInteger size = sampleBytes.add(directoryBytes.multiply(BigInteger.valueOf(file.pages())));
        // 62 bits leave room for sums of sizes in a long
        if (size.bitLength() > 62 || strips > MAX_STRIPS) {
            throw new UnsupportedException("the TIFF file would be too large: " + size + " bytes");
        }
        this.isBigTiff = size.compareTo(MAX_CLASSIC_SIZE) > 0;
        // the size does not depend on the offset of the samples, which is unknown here
        this.firstDirectorySize = directorySize(createFields(0, 0));
        this.otherDirectorySize = directorySize(createFields(1, 0));
    }

    /** Returns the size of the samples of a page, without the padding of tiles. */
    long pageBytes() {
        return rowBytes * file.height();
    }

    /** Returns the size of the samples of a page with their padding. */
    private long paddedBytes() {
        return file.layout().isTiled() ? strips * stripBytes : (pageBytes() + 7) / 8 * 8;
    }

    private long headerSize() {
        return isBigTiff ? 16 : 8;
    }

    /** Returns the offset of a page's directory. */
    private long directoryOffset(long page) {
        return headerSize()
                + page * paddedBytes()
                + (page == 0 ? 0 : firstDirectorySize + (page - 1) * otherDirectorySize);
    }

    public void writeHeader(OutputStream out) throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) headerSize()).order(ByteOrder.LITTLE_ENDIAN);
        // II means little-endian; 42 is the number of TIFF, 43 of BigTIFF
        header.put((byte) 'I').put((byte) 'I').putShort((short) (isBigTiff ? 43 : 42));
        if (isBigTiff) {
            // the size of an offset, and a reserved number
            header.putShort((short) 8).putShort((short) 0).putLong(directoryOffset(0));
        } else {
            header.putInt((int) directoryOffset(0));
        }
        out.write(header.array());
    }

    /** Pads the samples of a page to a multiple of eight bytes. */
    public void writePadding(OutputStream out) throws IOException {
        if (!file.layout().isTiled()) {
            out.write(new byte[(int) (paddedBytes() - pageBytes())]);
        }
    }

    /** Writes the directory of a page. The samples follow it. */
    public void writeDirectory(long page, OutputStream out) throws IOException {
        long offset = directoryOffset(page);
        long samplesOffset = offset + (page == 0 ? firstDirectorySize : otherDirectorySize);
        List<Field> fields = createFields(page, samplesOffset);
        // a directory is the number of its entries, the entries, and the offset of the next directory
        int entrySize = isBigTiff ? 20 : 12;
        int tableSize = (isBigTiff ? 16 : 6) + entrySize * fields.size();
        ByteBuffer table = ByteBuffer.allocate(tableSize).order(ByteOrder.LITTLE_ENDIAN);
        putCount(table, fields.size());
        long valueOffset = offset + align(tableSize);
        for (Field field : fields) {
            long size = field.count() * field.valueBytes();
            int end = table.position() + entrySize;
            table.putShort((short) field.tag()).putShort((short) field.type());
            putOffset(table, field.count());
            if (size <= (isBigTiff ? 8 : 4)) {
                putValues(table, field, 0, field.count());
            } else {
                putOffset(table, valueOffset);
                valueOffset += align(size);
            }
            table.position(end);
        }
        putOffset(table, page + 1 < file.pages() ? directoryOffset(page + 1) : 0);
        out.write(table.array());
        out.write(new byte[(int) (align(tableSize) - tableSize)]);
        for (Field field : fields) {
            if (field.count() * field.valueBytes() > (isBigTiff ? 8 : 4)) {
                writeValues(field, out);
            }
        }
    }

    /** Writes the values of a field that do not fit into its entry. */
    private static void writeValues(Field field, OutputStream out) throws IOException {
        int maxValues = 4096;
        ByteBuffer piece = ByteBuffer.allocate(maxValues * field.valueBytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (long first = 0; first < field.count(); first += maxValues) {
            piece.clear();
            putValues(piece, field, first, Math.min(field.count(), first + maxValues));
            out.write(piece.array(), 0, piece.position());
        }
        long size = field.count() * field.valueBytes();
        out.write(new byte[(int) (align(size) - size)]);
    }

    private static void putValues(ByteBuffer buffer, Field field, long first, long end) {
        for (long index = first; index < end; index++) {
            long value = field.value().applyAsLong(index);
            switch (field.type()) {
                case ASCII -> buffer.put((byte) value);
                case SHORT -> buffer.putShort((short) value);
                case LONG -> buffer.putInt((int) value);
                default -> buffer.putLong(value);
            }
        }
    }

    private void putCount(ByteBuffer buffer, int count) {
        if (isBigTiff) {
            buffer.putLong(count);
        } else {
            buffer.putShort((short) count);
        }
    }

    private void putOffset(ByteBuffer buffer, long offset) {
        if (isBigTiff) {
            buffer.putLong(offset);
        } else {
            buffer.putInt((int) offset);
        }
    }

    /** Returns the next multiple of 8. */
    private static long align(long size) {
        return (size + 7) / 8 * 8;
    }

    /** Returns the size of a directory and of the values that do not fit into its entries. */
    private long directorySize(List<Field> fields) {
        long size = align((isBigTiff ? 16 : 6) + (isBigTiff ? 20L : 12L) * fields.size());
        for (Field field : fields) {
            long bytes = field.count() * field.valueBytes();
            size += bytes <= (isBigTiff ? 8 : 4) ? 0 : align(bytes);
        }
        return size;
    }

    /**
     * Returns the fields of a page's directory in the order of their tags. Their number and sizes do not depend on
     * {@code samplesOffset}.
     */
    private List<Field> createFields(long page, long samplesOffset) {
        int offsetType = isBigTiff ? LONG8 : LONG;
        List<Field> fields = new ArrayList<>();
        // the tags are those of the specification of TIFF 6.0
        fields.add(new Field(256, LONG, 1, index -> file.width()));
        fields.add(new Field(257, LONG, 1, index -> file.height()));
        fields.add(new Field(258, SHORT, file.samples(), index -> file.bits()));
        fields.add(new Field(259, SHORT, 1, index -> 1)); // no compression
        fields.add(new Field(262, SHORT, 1, index -> file.samples() > 1 ? 2 : 1)); // RGB, or black is zero
        if (page == 0) {
            fields.add(new Field(270, ASCII, description.length, index -> description[(int) index]));
        }
        boolean isTiled = file.layout().isTiled();
        if (!isTiled) {
            fields.add(new Field(273, offsetType, strips, index -> samplesOffset + index * stripBytes));
        }
        fields.add(new Field(277, SHORT, 1, index -> file.samples()));
        if (!isTiled) {
            fields.add(new Field(278, LONG, 1, index -> rowsPerStrip));
            fields.add(new Field(
                    279, offsetType, strips, index -> Math.min(stripBytes, pageBytes() - index * stripBytes)));
        }
        fields.add(new Field(284, SHORT, 1, index -> 1)); // the samples of a pixel are adjacent
        if (isTiled) {
            fields.add(new Field(322, LONG, 1, index -> file.layout().tileSize()));
            fields.add(new Field(323, LONG, 1, index -> file.layout().tileSize()));
            fields.add(new Field(324, offsetType, strips, index -> samplesOffset + index * stripBytes));
            fields.add(new Field(325, offsetType, strips, index -> stripBytes));
        }
        if (file.samples() == 4) {
            fields.add(new Field(338, SHORT, 1, index -> 2)); // alpha, not premultiplied
        }
        fields.add(new Field(339, SHORT, file.samples(), index -> file.sampleFormat()));
        return fields;
    }
}
