package dev.shardkit.cli.command.write;

import dev.shardkit.ZarrArray;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.ImportSource;
import dev.shardkit.files.RawFileCheck;
import dev.shardkit.files.Slabs;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file with the elements of a region, in the format of {@code read --format raw}. Elements of fixed size are read on
 * demand. Elements of variable size are read all at once, because the file has no index. Not thread-safe: elements of
 * variable size are read at the position of the channel.
 */
public final class RawFile implements AutoCloseable {
    /** The length of the longest array that the JVM allocates. */
    private static final int MAX_ELEMENT_BYTES = Integer.MAX_VALUE - 8;

    /** The size in bytes of the field before each element of variable size, which holds the element's size. */
    private static final int SIZE_FIELD_BYTES = Integer.BYTES;

    /** The size in bytes of the buffer in which elements of variable size are read. */
    private static final int READ_BUFFER_BYTES = 1 << 16;

    private final ZarrArray array;
    private final Region region;
    private final long[] shape;
    private final Path path;
    private final String name;
    private final FileChannel channel;

    private RawFile(ZarrArray array, Region region, Path path, String name, FileChannel channel) {
        this.array = array;
        this.region = region;
        this.shape = region.shape();
        this.path = path;
        this.name = name;
        this.channel = channel;
    }

    /**
     * Opens a file with the elements of {@code region}.
     *
     * @param name the name of the file in messages
     */
    public static RawFile open(ZarrArray array, Region region, Path path, String name) throws IOException {
        RawFileCheck.requireRaw(path);
        return new RawFile(array, region, path, name, FileChannel.open(path, StandardOpenOption.READ));
    }

    /**
     * Writes the elements to the array.
     *
     * @throws UsageException if the size of the file does not match the region
     */
    public void write() throws IOException {
        if (array.dataType().elementSize().isEmpty()) {
            region.view(array).write(readVariable().feed());
            return;
        }
        int size = array.dataType().elementSize().getAsInt();
        long count = Shapes.count(shape);
        boolean overflows = Math.multiplyHigh(count, (long) size) != 0; // the upper 64 bits of the product
        if (overflows || count * size != channel.size()) {
            throw sizeMismatch("expected " + NodeText.count(count, "element") + " of " + NodeText.count(size, "byte")
                    + ", found " + NodeText.count(channel.size(), "byte"));
        }
        if (region.hasSteps()) {
            writeSlabs(size);
            return;
        }
        try (ImportSource source = ImportSource.raw(path, array.dataType().json(), shape, ByteOrder.LITTLE_ENDIAN)) {
            source.writeTo(array, region.box(), (node, done, total) -> {});
        }
    }

    /** Writes the region slab by slab. Slabs follow one another in C order, like the elements of the file. */
    private void writeSlabs(int size) throws IOException {
        long offset = 0;
        for (Slabs slabs = Slabs.create(array, Box.of(shape)); slabs.hasNext(); ) {
            Box slab = slabs.next();
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), slab.shape()));
            ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
            for (long end = offset + slab.count() * size; offset < end; ) {
                int read = channel.read(
                        bytes.slice(bytes.capacity() - (int) (end - offset), (int) (end - offset)), offset);
                if (read < 0) {
                    throw new EOFException(name + " became shorter during the read");
                }
                offset += read;
            }
            array.dataType().check(chunk.elements());
            region.view(array).region(slab).write(chunk.feed());
        }
    }

    private UsageException sizeMismatch(String problem) {
        return new UsageException(name + " does not fit a region of shape " + Arrays.toString(shape) + " of "
                + array.dataType().name() + ": " + problem);
    }

    /**
     * Reads all elements of variable size. Each follows a field with its size, an unsigned little-endian integer of 4
     * bytes. Never allocates more bytes for elements than the file has.
     */
    private DenseChunk readVariable() throws IOException {
        long count = Shapes.count(shape);
        long remaining = channel.size();
        if (count > remaining / SIZE_FIELD_BYTES) {
            throw sizeMismatch("expected " + count + " elements of at least " + SIZE_FIELD_BYTES + " bytes, found "
                    + remaining + " bytes");
        }
        byte[][] values = new byte[Math.toIntExact(count)][];
        InputStream stream = new BufferedInputStream(Channels.newInputStream(channel.position(0)), READ_BUFFER_BYTES);
        DataInputStream data = new DataInputStream(stream);
        for (int i = 0; i < values.length; i++) {
            remaining -= SIZE_FIELD_BYTES;
            boolean isSizeFieldComplete = remaining >= 0;
            long size = isSizeFieldComplete ? Integer.toUnsignedLong(Integer.reverseBytes(data.readInt())) : 0;
            if (!isSizeFieldComplete || size > remaining) {
                throw sizeMismatch("element " + i + " extends beyond the end of the file");
            }
            if (size > MAX_ELEMENT_BYTES) {
                throw sizeMismatch("element " + i + " has " + size + " bytes, expected at most " + MAX_ELEMENT_BYTES);
            }
            values[i] = data.readNBytes((int) size);
            remaining -= size;
        }
        if (remaining > 0) {
            throw sizeMismatch(remaining + " bytes follow the last element");
        }
        Elements elements = new Elements.Variable(values);
        array.dataType().check(elements);
        return DenseChunk.of(ChunkType.of(array.dataType(), array.fillValue(), shape), elements);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
