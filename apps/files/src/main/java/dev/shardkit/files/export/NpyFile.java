package dev.shardkit.files.export;

import dev.shardkit.ZarrArray;
import dev.shardkit.files.npy.NpyHeader;
import dev.shardkit.files.npy.NumpyType;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An npy file: a header, and the elements in C order.
 *
 * @param header the encoded header
 */
public record NpyFile(byte[] header) implements ArrayFile {
    public static NpyFile create(ZarrArray array, Box region) {
        return new NpyFile(NpyHeader.encode(NumpyType.describe(array.dataType()), region.shape()));
    }

    @Override
    public void write(Slices slices, OutputStream out) throws IOException {
        out.write(header);
        slices.read(elements -> RawElementWriter.write(elements, out));
    }
}
