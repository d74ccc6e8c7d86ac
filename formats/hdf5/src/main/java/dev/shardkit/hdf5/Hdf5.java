package dev.shardkit.hdf5;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;

/** Constants and errors of this module. */
final class Hdf5 {
    /** The scheme of the store. */
    static final String SCHEME = "hdf5";

    /** The signature at the start of a superblock. */
    static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    private static final int MAX_SHOWN = 80;

    private Hdf5() {}

    static UnsupportedException unsupported(String description) {
        return new UnsupportedException("hdf5: " + description + " is not supported");
    }

    static CorruptDataException corrupt(String description) {
        return new CorruptDataException("hdf5: " + description);
    }

    /** Shortens text from the file and replaces control characters, for messages. */
    static String forMessage(String text) {
        String printable = text.replaceAll("[\\p{Cntrl}]", "?");
        return printable.length() > MAX_SHOWN ? printable.substring(0, MAX_SHOWN) + "..." : printable;
    }
}
