package dev.shardkit.hdf5;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;

/** Names and errors of this module. */
final class Hdf5 {
    /** The scheme of the store. */
    static final String SCHEME = "hdf5";

    /** The signature at the start of a superblock. */
    static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    private static final int LONGEST_SHOWN = 80;

    private Hdf5() {}

    static UnsupportedException unsupported(String what) {
        return new UnsupportedException("hdf5: " + what + " is not supported");
    }

    static CorruptDataException corrupt(String what) {
        return new CorruptDataException("hdf5: " + what);
    }

    /** Returns a text of the file for a message. */
    static String shown(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}]", "?");
        return plain.length() > LONGEST_SHOWN ? plain.substring(0, LONGEST_SHOWN) + "..." : plain;
    }
}
