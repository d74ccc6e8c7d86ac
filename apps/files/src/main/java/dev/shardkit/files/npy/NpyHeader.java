package dev.shardkit.files.npy;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
public record NpyHeader(NumpyType type, long[] shape, boolean isFortran, long size) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /** The offset of the first element is a multiple of this number. */
    private static final int ALIGNMENT = 64;
    /** The maximum length of a header's text. NumPy refuses longer ones. */
    private static final int MAX_HEADER_LENGTH = 10_000;

    /** Matches a length in a shape. Python 2 wrote an L after it. */
    private static final Pattern LENGTH = Pattern.compile("([0-9]{1,18})L?");

    /** The maximum number of dimensions, as in NumPy. */
    private static final int MAX_DIMENSIONS = 64;

    /**
     * Encodes a header for little-endian elements in C order. The version is 1.0. If names of fields are not ASCII, it
     * is 3.0, because earlier versions have no UTF-8.
     *
     * @param descr NumPy's description of the data type, as {@link NumpyType#describe} returns it
     */
    public static byte[] encode(String descr, long[] shape) {
        String lengths = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String type = descr.startsWith("[") ? descr : "'" + descr + "'";
        byte[] text = ("{'descr': " + type + ", 'fortran_order': False, 'shape': (" + lengths
                        + (shape.length == 1 ? "," : "") + "), }")
                .getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_HEADER_LENGTH - ALIGNMENT) {
            throw new UnsupportedException("the fields need a header of " + text.length
                    + " bytes; NumPy reads headers of at most " + MAX_HEADER_LENGTH);
        }
        int version = StandardCharsets.US_ASCII.newEncoder().canEncode(descr) ? 1 : 3;
        int prefixSize = MAGIC.length + 2 + lengthFieldSize(version);
        int unpaddedSize = prefixSize + text.length + 1; // spaces as padding and a line feed follow the text
        int size = (unpaddedSize + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer header = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) version).put((byte) 0);
        if (version == 1) {
            header.putShort((short) (size - prefixSize));
        } else {
            header.putInt(size - prefixSize);
        }
        header.put(text);
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }

    /** Returns the size of the field that says how long the text of the header is. */
    private static int lengthFieldSize(int version) {
        return version == 1 ? 2 : 4;
    }

    /** Returns whether a file starts like an npy file. Does not change the channel's position. */
    public static boolean startsNpy(FileChannel file) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(MAGIC.length);
        while (first.hasRemaining()) {
            if (file.read(first, first.position()) < 0) {
                return false;
            }
        }
        return Arrays.equals(first.array(), MAGIC);
    }

    /** Returns whether bytes start like an npy file. */
    public static boolean startsNpy(ByteBuffer bytes) {
        return bytes.remaining() >= MAGIC.length
                && bytes.slice(bytes.position(), MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
    }

    /**
     * Reads a header.
     *
     * @throws CorruptDataException if there is no valid header
     * @throws UnsupportedException if Zarr has no such data type
     */
    public static NpyHeader read(InputStream in) throws IOException {
        DataInputStream input = new DataInputStream(in);
        try {
            byte[] magic = input.readNBytes(MAGIC.length);
            if (!Arrays.equals(magic, MAGIC)) {
                throw new CorruptDataException("expected an npy file, which begins with \\x93NUMPY");
            }
            int version = input.readUnsignedByte();
            int minor = input.readUnsignedByte();
            if (version < 1 || version > 3 || minor != 0) {
                throw new UnsupportedException(
                        "expected an npy file of version 1.0, 2.0 or 3.0, found " + version + "." + minor);
            }
            long length = version == 1
                    ? Short.toUnsignedInt(Short.reverseBytes(input.readShort()))
                    : Integer.toUnsignedLong(Integer.reverseBytes(input.readInt()));
            if (length > MAX_HEADER_LENGTH) {
                throw new CorruptDataException(
                        "expected a header of at most " + MAX_HEADER_LENGTH + " bytes, found a length of " + length);
            }
            byte[] text = input.readNBytes((int) length);
            if (text.length < length) {
                throw new EOFException();
            }
            long size = MAGIC.length + 2 + lengthFieldSize(version) + length;
            return parse(decodeText(text, version), size);
        } catch (EOFException e) {
            throw new CorruptDataException("the file ends in its npy header", e);
        }
    }

    /** Returns the text of a header: Latin-1 in versions 1.0 and 2.0, UTF-8 in version 3.0. */
    private static String decodeText(byte[] bytes, int version) {
        if (version < 3) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CorruptDataException("the npy header of version 3.0 is not UTF-8", e);
        }
    }

    /** Parses the text of a header: a dictionary as Python writes it. */
    private static NpyHeader parse(String text, long size) {
        PythonLiteral literal = PythonLiteral.parse(text).orElse(null);
        boolean isComplete = literal instanceof PythonLiteral.Dictionary dictionary
                && dictionary.entries().keySet().equals(Set.of("descr", "fortran_order", "shape"))
                && (dictionary.entries().get("descr") instanceof PythonLiteral.Text
                        || dictionary.entries().get("descr") instanceof PythonLiteral.Items)
                && dictionary.entries().get("fortran_order") instanceof PythonLiteral.Word order
                && List.of("True", "False").contains(order.value())
                && dictionary.entries().get("shape") instanceof PythonLiteral.Tuple;
        if (!isComplete) {
            throw new CorruptDataException(
                    "expected a dictionary of descr, fortran_order and shape, found " + shorten(text));
        }
        Map<String, PythonLiteral> entries = ((PythonLiteral.Dictionary) literal).entries();
        NumpyType type = entries.get("descr") instanceof PythonLiteral.Items fields
                ? NumpyRecords.parse(fields)
                : parseType(((PythonLiteral.Text) entries.get("descr")).value());
        boolean isFortran = entries.get("fortran_order").equals(new PythonLiteral.Word("True"));
        return new NpyHeader(type, parseShape((PythonLiteral.Tuple) entries.get("shape"), text), isFortran, size);
    }

    private static NumpyType parseType(String name) {
        return NumpyType.parse(name)
                .orElseThrow(() -> new UnsupportedException(
                        "elements of NumPy's type \"" + shorten(name) + "\" cannot be imported"));
    }

    private static long[] parseShape(PythonLiteral.Tuple tuple, String text) {
        if (tuple.items().size() > MAX_DIMENSIONS) {
            throw new CorruptDataException("expected a shape, found " + shorten(text));
        }
        return tuple.items().stream()
                .mapToLong(item -> {
                    Matcher length = LENGTH.matcher(item instanceof PythonLiteral.Word word ? word.value() : "");
                    if (!length.matches()) {
                        throw new CorruptDataException("expected a shape, found " + shorten(text));
                    }
                    return Long.parseLong(length.group(1));
                })
                .toArray();
    }

    /** Returns the start of a text without control characters, for messages. */
    private static String shorten(String text) {
        String line = text.strip().replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 80 ? line : line.substring(0, 80) + "...";
    }
}
