package dev.shardkit.hdf5;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;

/** Finds and reads the superblock (HDF5 file format specification, section II.A). */
final class Superblock {
    private static final int FIRST_PLACE = 512;
    private static final long LAST_PLACE = 1L << 30;
    private static final int MAX_SIZE = 128;

    private Superblock() {}

    /** Reads the superblock, and returns the address of the root group. */
    static long root(FileBytes file, Snapshot snapshot) throws IOException {
        long place = find(snapshot);
        Cursor in = file.upTo(place, MAX_SIZE, "the superblock").skip(Hdf5.SIGNATURE.length);
        int version = in.version(0, 3);
        if (version < 2) {
            in.skip(4);
        }
        Cursor.Widths widths = new Cursor.Widths(width(in), width(in));
        // Version 0 and 1: a reserved byte, two sizes of nodes and flags. Version 1 has four bytes more.
        in.skip(version == 0 ? 9 : version == 1 ? 13 : 1);
        file.layout(0, widths);
        if (version >= 2) {
            file.checked(place, in.position() + 4L * widths.offset(), "the superblock");
        }
        Cursor rest = file.upTo(place, MAX_SIZE, "the superblock").skip(in.position());
        // The base address, the free space or an extension, and the end of the file.
        rest.skip(3L * widths.offset());
        if (version < 2) {
            rest.skip(2L * widths.offset());
        }
        long root = rest.address();
        // As HDF5 does: a file that was moved behind a user block may still name its former base address.
        file.layout(place, widths);
        return root;
    }

    private static int width(Cursor in) {
        int width = in.u8();
        if (width != 2 && width != 4 && width != 8) {
            throw in.corrupt("offsets and lengths of 2, 4 or 8 bytes", width + "");
        }
        return width;
    }

    /** The superblock is at 0, 512 or a later power of two; before it may be a user block. */
    private static long find(Snapshot snapshot) throws IOException {
        byte[] found = new byte[Hdf5.SIGNATURE.length];
        for (long place = 0; place <= LAST_PLACE && place + MAX_SIZE / 2 <= snapshot.size(); place = next(place)) {
            snapshot.read(place, ByteBuffer.wrap(found));
            if (Arrays.equals(found, Hdf5.SIGNATURE)) {
                return place;
            }
        }
        if (snapshot.size() >= Integer.BYTES && isNetCdf3(snapshot)) {
            throw new UnsupportedException(
                    "hdf5: this is a NetCDF 3 file (classic format), which shardkit does not read; "
                            + "convert it to NetCDF 4: nccopy -k nc4 IN.nc OUT.nc");
        }
        throw new UnsupportedException(
                "hdf5: this is no HDF5 file: expected the signature \\x89HDF at byte 0, 512 or a "
                        + "later power of two, found none (NetCDF files before version 4 have another format)");
    }

    /** Whether a file begins as those of NetCDF before version 4. */
    private static boolean isNetCdf3(Snapshot snapshot) throws IOException {
        ByteBuffer begin = ByteBuffer.allocate(Integer.BYTES);
        snapshot.read(0, begin);
        int magic = begin.getInt(0);
        return magic >>> Byte.SIZE == 0x434446 && Set.of(1, 2, 5).contains(magic & 0xff);
    }

    private static long next(long place) {
        return place == 0 ? FIRST_PLACE : 2 * place;
    }
}
