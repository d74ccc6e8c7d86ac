package dev.shardkit.cli.command;

import dev.shardkit.NdArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.files.RawFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * The slices of a raw file across one dimension, a few at a time. The file holds elements of fixed size in C order,
 * little-endian, as {@code read --format raw} writes them. Used once.
 */
final class RawSlices implements AutoCloseable {
    private final RawSliceFormat form;
    private final FileChannel file;
    private final long slices;

    private RawSlices(RawSliceFormat form, String name, FileChannel file) throws IOException {
        this.form = form;
        this.file = file;
        if (file.size() % form.bytes() != 0) {
            throw new WrongUse(name + " does not hold whole slices: expected a multiple of " + form.bytes()
                    + " bytes, found " + file.size());
        }
        this.slices = file.size() / form.bytes();
    }

    /**
     * Opens a file.
     *
     * @throws WrongUse if it does not hold whole slices
     */
    static RawSlices open(RawSliceFormat form, InputFile input) throws IOException {
        RawFiles.check(input.path());
        FileChannel file = FileChannel.open(input.path(), StandardOpenOption.READ);
        try {
            return new RawSlices(form, input.name(), file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Passes all slices to {@code target}, in order, as many at a time as fit into a batch. */
    void each(Consumer<NdArray> target) throws IOException {
        long batch = form.batch();
        for (long first = 0; first < slices; first += batch) {
            target.accept(read(first, (int) Math.min(batch, slices - first)));
        }
    }

    private NdArray read(long first, int count) throws IOException {
        ByteBuffer bytes = form.buffer(count);
        long run = form.bytes() / form.outer();
        for (long o = 0; o < form.outer(); o++) {
            bytes.limit(Math.toIntExact((o + 1) * count * run));
            long at = (o * slices + first) * run;
            while (bytes.hasRemaining()) {
                int n = file.read(bytes, at);
                if (n < 0) {
                    throw new EOFException("the file became shorter during the read");
                }
                at += n;
            }
        }
        return form.slices(bytes.flip(), count);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
