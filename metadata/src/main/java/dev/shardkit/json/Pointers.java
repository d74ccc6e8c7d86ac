package dev.shardkit.json;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;

/** JSON pointers (RFC 6901), and document text shortened for messages. */
public final class Pointers {
    private static final int MAX_SHOWN_CHARACTERS = 120;

    private Pointers() {}

    /** Returns the pointer of member {@code name} of the object at {@code pointer}. */
    public static String member(String pointer, String name) {
        return pointer + "/" + shorten(name).replace("~", "~0").replace("/", "~1");
    }

    /** Returns a pointer for messages. The pointer of the whole document is empty, so it becomes "the document". */
    public static String shown(String pointer) {
        return pointer.isEmpty() ? "the document" : pointer;
    }

    /**
     * Returns the failure with the pointer in its message, unless it already contains a pointer or another location.
     */
    public static ZarrException located(String pointer, ZarrException e) {
        if (e.fact().startsWith("/") || e.location().isPresent()) {
            return e;
        } else if (e instanceof MetadataException) {
            return new MetadataException(shown(pointer) + ": " + e.fact(), e);
        }
        return e instanceof UnsupportedException ? new UnsupportedException(shown(pointer) + ": " + e.fact(), e) : e;
    }

    /** Returns the beginning of {@code text}, without control characters. */
    public static String shorten(String text) {
        String begin = text.length() > MAX_SHOWN_CHARACTERS ? text.substring(0, MAX_SHOWN_CHARACTERS) + "..." : text;
        return begin.replaceAll("\\p{Cntrl}", "?");
    }
}
