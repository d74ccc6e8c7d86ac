package dev.shardkit.hdf5.file;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;

/** Finds and reads the superblock, with which an HDF5 file begins (HDF5 file format specification, section II.A). */
public final class Superblock {
    /** The signature at the start of a superblock. */
    private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    /** The first offset at which a superblock may start, other than 0. */
    private static final int FIRST_OFFSET = 512;

    private static final long MAX_OFFSET = 1L << 30;
    /** More bytes than a superblock has. */
    private static final int MAX_SIZE = 128;

    private Superblock() {}

    /** Reads the superblock and returns the address of the root group. */
    public static long readRootAddress(FileBytes file, ObjectSnapshot snapshot) throws IOException {
        long offset = findOffset(snapshot);
        Cursor cursor = file.readUpTo(offset, MAX_SIZE, "the superblock").skip(SIGNATURE.length);
        int version = cursor.version(0, 3);
        if (version < 2) {
            cursor.skip(4); // versions of other structures, and a reserved byte
        }
        Cursor.Widths widths = new Cursor.Widths(readWidth(cursor), readWidth(cursor));
        int skippedBytes =
                switch (version) {
                    case 0 -> 9; // a reserved byte, two sizes of nodes, and flags
                    case 1 -> 13; // the same, and four bytes more
                    default -> 1; // flags
                };
        cursor.skip(skippedBytes);
        file.setLayout(0, widths);
        if (version >= 2) {
            file.readChecked(offset, cursor.bytesRead() + 4L * widths.offset(), "the superblock");
        }
        Cursor addresses = file.readUpTo(offset, MAX_SIZE, "the superblock").skip(cursor.bytesRead());
        // Skips the base address, the free space or an extension, and the end of the file.
        addresses.skip(3L * widths.offset());
        if (version < 2) {
            addresses.skip(2L * widths.offset()); // a driver's information, and the name of the root group
        }
        long rootAddress = addresses.address();
        // The stored base address is ignored, as in HDF5: it is wrong in a file to which a user block was added later.
        file.setLayout(offset, widths);
        return rootAddress;
    }

    private static int readWidth(Cursor cursor) {
        int width = cursor.u8();
        if (width != 2 && width != 4 && width != 8) {
            throw cursor.corrupt("offsets and lengths of 2, 4 or 8 bytes", width + "");
        }
        return width;
    }

    /** Finds the superblock at offset 0, 512 or a later power of two. A user block may precede it. */
    private static long findOffset(ObjectSnapshot snapshot) throws IOException {
        byte[] signature = new byte[SIGNATURE.length];
        for (long offset = 0;
                offset <= MAX_OFFSET && offset + MAX_SIZE / 2 <= snapshot.size();
                offset = nextOffset(offset)) {
            snapshot.read(offset, ByteBuffer.wrap(signature));
            if (Arrays.equals(signature, SIGNATURE)) {
                return offset;
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

    /** Whether a file starts like a NetCDF file before version 4. */
    private static boolean isNetCdf3(ObjectSnapshot snapshot) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Integer.BYTES);
        snapshot.read(0, start);
        int magic = start.getInt(0);
        // The letters CDF and a version.
        return magic >>> Byte.SIZE == 0x434446 && Set.of(1, 2, 5).contains(magic & 0xff);
    }

    private static long nextOffset(long offset) {
        return offset == 0 ? FIRST_OFFSET : 2 * offset;
    }
}
