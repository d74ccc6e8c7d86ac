package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header of an npy file (numpy.lib.format, versions 1.0 to 3.0).
 *
 * @param type the data type and byte order
 * @param shape the shape
 * @param isFortran whether the first dimension varies fastest
 * @param size the size of the header, where the elements begin
 */
record NpyHeader(NumpyType type, long[] shape, boolean isFortran, long size) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    /** NumPy itself refuses headers of more than 10,000 characters. */
    private static final int LONGEST = 10_000;

    private static final Pattern ENTRY = Pattern.compile("\\s*['\"](descr|fortran_order|shape)['\"]\\s*:\\s*"
            + "('[^']*'|\"[^\"]*\"|True|False|\\([0-9L,\\s]*\\)|" + NumpyRecords.LIST + ")\\s*(,|(?=}))");
    private static final Pattern LENGTH = Pattern.compile("([0-9]{1,18})L?");
    private static final int MOST_DIMENSIONS = 64;

    /** Returns the header of little-endian elements in C order. */
    static byte[] of(String descr, long[] shape) {
        String lengths = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String type = descr.startsWith("[") ? descr : "'" + descr + "'";
        String text = "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + lengths
                + (shape.length == 1 ? "," : "") + "), }";
        if (text.length() > LONGEST - ALIGNMENT) {
            throw new UnsupportedException("the fields need a header of " + text.length()
                    + " characters; NumPy reads headers of at most " + LONGEST);
        }
        int prefix = MAGIC.length + 4;
        int padding = ALIGNMENT - (prefix + text.length() + 1) % ALIGNMENT;
        byte[] content = (text + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] header = Arrays.copyOf(MAGIC, prefix + content.length);
        header[MAGIC.length] = 1;
        header[prefix - 2] = (byte) content.length;
        header[prefix - 1] = (byte) (content.length >> 8);
        System.arraycopy(content, 0, header, prefix, content.length);
        return header;
    }

    /** Whether a file begins as npy files do. The channel's position does not change. */
    static boolean isIn(FileChannel file) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(MAGIC.length);
        while (first.hasRemaining()) {
            if (file.read(first, first.position()) < 0) {
                return false;
            }
        }
        return Arrays.equals(first.array(), MAGIC);
    }

    /**
     * Reads a header.
     *
     * @throws CorruptDataException if there is none
     * @throws UnsupportedException if Zarr has no such data type
     */
    static NpyHeader read(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        try {
            byte[] magic = data.readNBytes(MAGIC.length);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new CorruptDataException("expected an npy file, which begins with \\x93NUMPY");
            }
            int version = data.readUnsignedByte();
            int minor = data.readUnsignedByte();
            if (version < 1 || version > 3 || minor != 0) {
                throw new UnsupportedException(
                        "expected an npy file of version 1.0, 2.0 or 3.0, found " + version + "." + minor);
            }
            long length = version == 1
                    ? Short.toUnsignedInt(Short.reverseBytes(data.readShort()))
                    : Integer.toUnsignedLong(Integer.reverseBytes(data.readInt()));
            if (length > LONGEST) {
                throw new CorruptDataException(
                        "expected a header of at most " + LONGEST + " bytes, found a length of " + length);
            }
            byte[] text = data.readNBytes((int) length);
            if (text.length < length) {
                throw new EOFException();
            }
            long size = MAGIC.length + (version == 1 ? 4 : 6) + length;
            return parse(new String(text, StandardCharsets.UTF_8), size);
        } catch (EOFException e) {
            throw new CorruptDataException("the file ends in its npy header", e);
        }
    }

    private static NpyHeader parse(String text, long size) {
        Map<String, String> entries = new HashMap<>();
        String dictionary = text.strip();
        Matcher entry = ENTRY.matcher(dictionary).region(Math.min(1, dictionary.length()), dictionary.length());
        int end = 1;
        while (entry.lookingAt()) {
            entries.put(entry.group(1), entry.group(2));
            end = entry.end();
            entry.region(end, dictionary.length());
        }
        boolean isComplete = dictionary.startsWith("{")
                && end <= dictionary.length()
                && dictionary.substring(end).strip().equals("}");
        String descr = entries.getOrDefault("descr", "");
        boolean isList = descr.startsWith("[");
        if (!isList && dictionary.matches("\\{.*['\"]descr['\"]\\s*:\\s*\\[.*")) {
            throw NumpyRecords.nested(dictionary);
        } else if (!isComplete || entries.size() != 3 || descr.length() < 2 || "TF(".indexOf(descr.charAt(0)) >= 0) {
            throw new CorruptDataException(
                    "expected a dictionary of descr, fortran_order and shape, found " + shortened(text));
        }
        NumpyType type = isList ? NumpyRecords.of(descr) : type(descr.substring(1, descr.length() - 1));
        return new NpyHeader(
                type, shape(entries.get("shape")), entries.get("fortran_order").equals("True"), size);
    }

    private static NumpyType type(String name) {
        return NumpyType.of(name)
                .orElseThrow(() -> new UnsupportedException(
                        "elements of NumPy's type \"" + shortened(name) + "\" cannot be imported"));
    }

    private static long[] shape(String tuple) {
        String inner =
                tuple.startsWith("(") ? tuple.substring(1, tuple.length() - 1).strip() : "?";
        if (inner.isEmpty()) {
            return new long[0];
        }
        String[] items = inner.replaceFirst(",$", "").split(",", -1);
        long[] shape = new long[items.length];
        for (int d = 0; d < items.length; d++) {
            Matcher length = LENGTH.matcher(items[d].strip());
            if (!length.matches() || items.length > MOST_DIMENSIONS) {
                throw new CorruptDataException("expected a shape, found " + shortened(tuple));
            }
            shape[d] = Long.parseLong(length.group(1));
        }
        return shape;
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 80 ? line : line.substring(0, 80) + "...";
    }
}
