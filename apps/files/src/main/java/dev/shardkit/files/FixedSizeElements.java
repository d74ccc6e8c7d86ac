package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.files.npy.NpyHeader;
import dev.shardkit.files.npy.NumpyType;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.destination.LazyFeed;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The source of an import from an npy file or a raw file: elements of one fixed size after an optional header. Reads
 * the elements in pieces, when {@link #writeTo} writes the array. Thread-safe.
 */
final class FixedSizeElements implements ImportSource {
    private final Path path;
    private final FileChannel file;
    private final Json dataType;
    private final long[] shape;
    private final ByteOrder order;
    /** Whether the elements are in Fortran order: the first dimension changes fastest. */
    private final boolean isFortran;
    /** The number of bytes before the first element; 0 for a raw file. */
    private final long headerSize;

    private FixedSizeElements(
            Path path,
            FileChannel file,
            Json dataType,
            long[] shape,
            ByteOrder order,
            boolean isFortran,
            long headerSize) {
        this.path = path;
        this.file = file;
        this.dataType = dataType;
        this.shape = shape.clone();
        this.order = order;
        this.isFortran = isFortran;
        this.headerSize = headerSize;
    }

    static FixedSizeElements openNpy(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            NpyHeader header;
            try {
                header = NpyHeader.read(new BufferedInputStream(Channels.newInputStream(file)));
            } catch (CorruptDataException e) {
                throw new CorruptDataException(path + ": " + e.fact(), e);
            }
            NumpyType type = header.type();
            return new FixedSizeElements(
                    path, file, type.dataType(), header.shape(), type.order(), header.isFortran(), header.size());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    static FixedSizeElements openRaw(Path path, Json dataType, long[] shape, ByteOrder order) throws IOException {
        RawFileCheck.requireRaw(path);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        boolean isFortran = false;
        int headerSize = 0;
        return new FixedSizeElements(path, file, dataType, shape, order, isFortran, headerSize);
    }

    @Override
    public Json dataType() {
        return dataType;
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    @Override
    public void writeTo(ZarrArray array, Box region, Progress progress) throws IOException {
        int elementSize = array.dataType()
                .elementSize()
                .orElseThrow(() -> new CorruptDataException("elements of varying size are not in " + path));
        requireSize(elementSize);
        if (region.isEmpty()) {
            return;
        }
        long total = region.count();
        long[] done = {0}; // the number of elements written, counted by several threads
        array.write(region, LazyFeed.of(array, part -> {
            DenseChunk chunk = load(array, part, elementSize);
            synchronized (done) {
                done[0] += Shapes.count(part.shape());
                progress.at(array.path(), Math.min(done[0], total), total);
            }
            return chunk;
        }));
    }

    /** Throws if the size of the file differs from the claimed size. */
    private void requireSize(int elementSize) throws IOException {
        BigInteger claimed = BigInteger.valueOf(elementSize);
        for (long length : shape) {
            claimed = claimed.multiply(BigInteger.valueOf(length));
        }
        BigInteger found = BigInteger.valueOf(file.size() - headerSize);
        if (!claimed.equals(found)) {
            String message = path + ": expected " + claimed + " bytes of elements for shape " + Arrays.toString(shape)
                    + " of " + dataType + ", found " + found;
            boolean isRaw = headerSize == 0; // for a raw file, the caller gave the wrong shape; else the header has it
            throw isRaw ? new IllegalArgumentException(message) : new CorruptDataException(message);
        }
    }

    /** Reads the elements of a box of the array into a chunk in C order, with the byte order of chunks. */
    private DenseChunk load(ZarrArray array, Box part, int elementSize) {
        DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), part.shape()));
        Elements.Fixed target = (Elements.Fixed) chunk.elements();
        if (!isFortran && order == target.bytes().order()) {
            read(part, shape, elementSize, target.bytes());
        } else {
            // The bytes of an array in Fortran order are those of the array with reversed dimensions in C order.
            int[] storedOrder = IntStream.range(0, part.rank())
                    .map(d -> isFortran ? part.rank() - 1 - d : d)
                    .toArray();
            Box storedBox = part.permute(storedOrder);
            ByteBuffer bytes = ByteBuffer.allocate(target.bytes().capacity()).order(order);
            read(storedBox, Shapes.permute(shape, storedOrder), elementSize, bytes);
            Elements source = new Elements.Fixed(bytes, target.elementSize(), target.wordSize());
            long[] strides = Shapes.permute(Shapes.strides(storedBox.shape()), storedOrder);
            ElementCopy.copy(source, 0, strides, target, 0, Shapes.strides(part.shape()), part.shape());
        }
        array.dataType().check(chunk.elements());
        return chunk;
    }

    /**
     * Reads a box of the file's elements, which are in C order. Reads contiguous elements in one call.
     *
     * @param wholeShape the shape of all elements of the file, in the order of the file
     */
    private void read(Box part, long[] wholeShape, int elementSize, ByteBuffer target) {
        int targetStart = 0;
        StridedRows.walk(
                part.shape(),
                part.firstIn(wholeShape),
                Shapes.strides(wholeShape),
                targetStart,
                Shapes.strides(part.shape()),
                (fileIndex, fileStep, targetIndex, targetStep, count) -> {
                    long runLength = fileStep == 1 && targetStep == 1 ? count : 1;
                    for (long i = 0; i < count; i += runLength) {
                        int position = (int) ((targetIndex + i * targetStep) * elementSize);
                        read(headerSize + (fileIndex + i * fileStep) * elementSize, target.slice(position, (int)
                                (runLength * elementSize)));
                    }
                });
    }

    private void read(long start, ByteBuffer target) {
        try {
            for (long position = start; target.hasRemaining(); ) {
                int count = file.read(target, position);
                if (count < 0) {
                    throw new EOFException("became shorter during the read");
                }
                position += count;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path.toString(), e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
