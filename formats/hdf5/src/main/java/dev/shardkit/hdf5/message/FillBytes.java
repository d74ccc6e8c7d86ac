package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import java.util.Arrays;
import java.util.Optional;

/** Reads the fill value of a dataset (HDF5 file format specification, sections IV.A.2.e and IV.A.2.f). */
public final class FillBytes {
    private FillBytes() {}

    /**
     * Returns the first bytes of the fill value; zeros if there is none.
     *
     * @param size the expected size of the fill value; a damaged file may claim any size
     * @param count the number of bytes to return
     */
    public static byte[] read(FileBytes file, ObjectHeader header, long size, int count) {
        Optional<Cursor> cursor = header.find(file, ObjectHeader.Type.FILL);
        Optional<byte[]> storedBytes = cursor.isPresent()
                ? readMessage(cursor.get())
                : header.find(file, ObjectHeader.Type.OLD_FILL).map(oldMessage -> oldMessage.bytes(oldMessage.u32()));
        byte[] bytes = storedBytes.orElseGet(() -> new byte[0]);
        if (bytes.length != 0 && bytes.length != size) {
            throw Hdf5Errors.corrupt("a fill value: expected " + size + " bytes, found " + bytes.length);
        }
        return Arrays.copyOf(bytes, count);
    }

    /** Returns the fill value in a message of the new format; empty if none is defined. */
    private static Optional<byte[]> readMessage(Cursor cursor) {
        int version = cursor.version(1, 3);
        if (version == 3) {
            int flags = cursor.u8(); // bit 5: a value follows
            return (flags & 0x20) == 0 ? Optional.empty() : Optional.of(cursor.bytes(cursor.u32()));
        }
        cursor.skip(2); // when space is allocated, when the value is written
        boolean isDefined = cursor.u8() != 0;
        if (!isDefined && version == 2 || cursor.remaining() < 4) {
            return Optional.empty();
        }
        long size = cursor.u32();
        return size > cursor.remaining() ? Optional.empty() : Optional.of(cursor.bytes(size));
    }
}
