package dev.shardkit.cli.command;

import dev.shardkit.ZarrArray;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.files.ImportSource;
import dev.shardkit.files.RawFiles;
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
 * The elements of a region in a file with the format of {@code read --format raw}. Elements of fixed size are read on
 * demand. Elements of variable size are read all at once, because the file has no index of them. Thread-safe.
 */
final class RawFile implements AutoCloseable {
    private final ZarrArray array;
    private final Region region;
    private final long[] shape;
    private final Path path;
    private final String name;
    private final FileChannel file;

    private RawFile(ZarrArray array, Region region, Path path, String name, FileChannel file) {
        this.array = array;
        this.region = region;
        this.shape = region.shape();
        this.path = path;
        this.name = name;
        this.file = file;
    }

    /**
     * Opens a file with the elements of {@code region}.
     *
     * @param name what messages call the file
     */
    static RawFile open(ZarrArray array, Region region, Path path, String name) throws IOException {
        RawFiles.check(path);
        return new RawFile(array, region, path, name, FileChannel.open(path, StandardOpenOption.READ));
    }

    /**
     * Writes the elements to the array.
     *
     * @throws WrongUse if the file does not have the region's size
     */
    void write() throws IOException {
        if (array.dataType().elementSize().isEmpty()) {
            region.view(array).write(variable().feed());
            return;
        }
        int size = array.dataType().elementSize().getAsInt();
        long count = Shapes.count(shape);
        if (Math.multiplyHigh(count, (long) size) != 0 || count * size != file.size()) {
            throw sized("expected " + NodeFacts.count(count, "element") + " of " + NodeFacts.count(size, "byte")
                    + ", found " + NodeFacts.count(file.size(), "byte"));
        }
        if (region.hasSteps()) {
            writeSlabs(size);
            return;
        }
        try (ImportSource source = ImportSource.raw(path, array.dataType().json(), shape, ByteOrder.LITTLE_ENDIAN)) {
            source.writeTo(array, region.box(), (node, done, total) -> {});
        }
    }

    /** Slabs follow one another in C order, like the elements of the file. */
    private void writeSlabs(int size) throws IOException {
        long at = 0;
        for (Slabs slabs = Slabs.of(array, Box.of(shape)); slabs.hasNext(); ) {
            Box slab = slabs.next();
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), slab.shape()));
            ByteBuffer bytes = ((Elements.Fixed) chunk.elements()).bytes();
            for (long end = at + slab.count() * size; at < end; ) {
                int n = file.read(bytes.slice(bytes.capacity() - (int) (end - at), (int) (end - at)), at);
                if (n < 0) {
                    throw new EOFException(name + " became shorter during the read");
                }
                at += n;
            }
            array.dataType().check(chunk.elements());
            region.view(array).region(slab).write(chunk.feed());
        }
    }

    private WrongUse sized(String fact) {
        return new WrongUse(name + " does not fit a region of shape " + Arrays.toString(shape) + " of "
                + array.dataType().name() + ": " + fact);
    }

    /** Reads all elements. Allocates nothing for sizes that exceed the file. */
    private DenseChunk variable() throws IOException {
        long count = Shapes.count(shape);
        long left = file.size();
        if (count > left / 4) {
            throw sized("expected " + count + " elements of at least 4 bytes, found " + left + " bytes");
        }
        byte[][] values = new byte[Math.toIntExact(count)][];
        InputStream in = new BufferedInputStream(Channels.newInputStream(file.position(0)), 1 << 16);
        DataInputStream data = new DataInputStream(in);
        for (int i = 0; i < values.length; i++) {
            left -= 4;
            long size = left < 0 ? 0 : Integer.toUnsignedLong(Integer.reverseBytes(data.readInt()));
            if (size > left) {
                throw sized("element " + i + " extends beyond the end of the file");
            }
            values[i] = data.readNBytes((int) size);
            left -= size;
        }
        if (left > 0) {
            throw sized(left + " bytes follow the last element");
        }
        Elements elements = new Elements.Variable(values);
        array.dataType().check(elements);
        return DenseChunk.of(ChunkType.of(array.dataType(), array.fillValue(), shape), elements);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
