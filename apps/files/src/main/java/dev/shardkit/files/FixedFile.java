package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.copy.LazyFeed;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Rows;
import dev.shardkit.spi.array.Shapes;
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

/** Elements of a fixed size in a file, read on demand. Thread-safe. */
final class FixedFile implements ImportSource {
    private final Path path;
    private final FileChannel file;
    private final Json dataType;
    private final long[] shape;
    private final ByteOrder order;
    private final boolean isFortran;
    private final long start;

    private FixedFile(
            Path path, FileChannel file, Json dataType, long[] shape, ByteOrder order, boolean isFortran, long start) {
        this.path = path;
        this.file = file;
        this.dataType = dataType;
        this.shape = shape.clone();
        this.order = order;
        this.isFortran = isFortran;
        this.start = start;
    }

    static FixedFile npy(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            NpyHeader header;
            try {
                header = NpyHeader.read(new BufferedInputStream(Channels.newInputStream(file)));
            } catch (CorruptDataException e) {
                throw new CorruptDataException(path + ": " + e.fact(), e);
            }
            NumpyType type = header.type();
            return new FixedFile(
                    path, file, type.dataType(), header.shape(), type.order(), header.isFortran(), header.size());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    static FixedFile raw(Path path, Json dataType, long[] shape, ByteOrder order) throws IOException {
        RawFiles.check(path);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        return new FixedFile(path, file, dataType, shape, order, false, 0);
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
        int size = array.dataType()
                .elementSize()
                .orElseThrow(() -> new CorruptDataException("elements of varying size are not in " + path));
        check(size);
        if (region.isEmpty()) {
            return;
        }
        long total = region.count();
        long[] done = {0};
        array.write(region, LazyFeed.of(array, part -> {
            DenseChunk chunk = load(array, part, size);
            synchronized (done) {
                done[0] += Shapes.count(part.shape());
                progress.at(array.path(), Math.min(done[0], total), total);
            }
            return chunk;
        }));
    }

    /** Compares the claimed size with the file. */
    private void check(int size) throws IOException {
        BigInteger claimed = BigInteger.valueOf(size);
        for (long length : shape) {
            claimed = claimed.multiply(BigInteger.valueOf(length));
        }
        BigInteger found = BigInteger.valueOf(file.size() - start);
        if (!claimed.equals(found)) {
            String fact = path + ": expected " + claimed + " bytes of elements for shape " + Arrays.toString(shape)
                    + " of " + dataType + ", found " + found;
            boolean isStated = start == 0; // a raw file: the caller says what it holds; a npy file has a header
            throw isStated ? new IllegalArgumentException(fact) : new CorruptDataException(fact);
        }
    }

    private DenseChunk load(ZarrArray array, Box part, int size) {
        DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), part.shape()));
        Elements.Fixed to = (Elements.Fixed) chunk.elements();
        if (!isFortran && order == to.bytes().order()) {
            read(part, shape, size, to.bytes());
        } else {
            int[] reverse = IntStream.range(0, part.rank())
                    .map(d -> isFortran ? part.rank() - 1 - d : d)
                    .toArray();
            Box stored = part.permute(reverse);
            ByteBuffer bytes = ByteBuffer.allocate(to.bytes().capacity()).order(order);
            read(stored, Shapes.permute(shape, reverse), size, bytes);
            Elements from = new Elements.Fixed(bytes, to.elementSize(), to.wordSize());
            long[] strides = Shapes.permute(Shapes.strides(stored.shape()), reverse);
            ElementCopy.copy(from, 0, strides, to, 0, Shapes.strides(part.shape()), part.shape());
        }
        array.dataType().check(chunk.elements());
        return chunk;
    }

    /** Reads a part of elements in C order; rows that follow one another in the file are one read. */
    private void read(Box part, long[] whole, int size, ByteBuffer into) {
        Rows.walk(
                part.shape(),
                part.firstIn(whole),
                Shapes.strides(whole),
                0,
                Shapes.strides(part.shape()),
                (from, step, to, toStep, n) -> {
                    long run = step == 1 && toStep == 1 ? n : 1;
                    for (long k = 0; k < n; k += run) {
                        int at = (int) ((to + k * toStep) * size);
                        read(start + (from + k * step) * size, into.slice(at, (int) (run * size)));
                    }
                });
    }

    private void read(long position, ByteBuffer into) {
        try {
            for (long at = position; into.hasRemaining(); ) {
                int n = file.read(into, at);
                if (n < 0) {
                    throw new EOFException("became shorter during the read");
                }
                at += n;
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
