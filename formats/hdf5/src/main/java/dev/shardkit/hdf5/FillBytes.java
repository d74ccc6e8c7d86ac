package dev.shardkit.hdf5;

import java.util.Arrays;
import java.util.Optional;

/** Reads the fill value of a dataset (sections IV.A.2.e and IV.A.2.f). */
final class FillBytes {
    private FillBytes() {}

    /**
     * Returns the first bytes of the fill value; zeros if none is set.
     *
     * @param size the size of the fill value; a damaged file may claim any
     * @param first how many bytes to return
     */
    static byte[] of(FileBytes file, ObjectHeader header, long size, int first) {
        Optional<Cursor> in = header.find(file, ObjectHeader.Type.FILL);
        Optional<byte[]> found = in.isPresent()
                ? fill(in.get())
                : header.find(file, ObjectHeader.Type.OLD_FILL).map(old -> old.bytes(old.u32()));
        byte[] bytes = found.orElseGet(() -> new byte[0]);
        if (bytes.length != 0 && bytes.length != size) {
            throw Hdf5.corrupt("a fill value: expected " + size + " bytes, found " + bytes.length);
        }
        return Arrays.copyOf(bytes, first);
    }

    private static Optional<byte[]> fill(Cursor in) {
        int version = in.version(1, 3);
        if (version == 3) {
            int flags = in.u8();
            return (flags & 0x20) == 0 ? Optional.empty() : Optional.of(in.bytes(in.u32()));
        }
        in.skip(2);
        boolean isDefined = in.u8() != 0;
        if (!isDefined && version == 2 || in.left() < 4) {
            return Optional.empty();
        }
        long size = in.u32();
        return size > in.left() ? Optional.empty() : Optional.of(in.bytes(size));
    }
}
