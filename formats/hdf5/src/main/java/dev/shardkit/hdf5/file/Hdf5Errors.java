package dev.shardkit.hdf5.file;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;

/** Creates the exceptions of this module. */
public final class Hdf5Errors {
    private static final int MAX_SHOWN = 80;

    private Hdf5Errors() {}

    /** Returns the exception for a feature that this module does not support. */
    public static UnsupportedException unsupported(String description) {
        return new UnsupportedException("hdf5: " + description + " is not supported");
    }

    /** Returns the exception for a damaged file. */
    public static CorruptDataException corrupt(String description) {
        return new CorruptDataException("hdf5: " + description);
    }

    /** Shortens text from the file and replaces control characters, for messages. */
    public static String forMessage(String text) {
        String printable = text.replaceAll("[\\p{Cntrl}]", "?");
        return printable.length() > MAX_SHOWN ? printable.substring(0, MAX_SHOWN) + "..." : printable;
    }
}
