package dev.shardkit.files.tiff;

import dev.shardkit.spi.error.CorruptDataException;

/**
 * The TIFF file to which references point.
 *
 * @param url the URL of the file
 * @param size the size of the file in bytes
 */
public record TiffReferenceTarget(String url, long size) {
    /** The maximum number of chunks of all images in one document. */
    public static final int MAX_CHUNKS = 2_000_000;

    /** Throws unless a tile or strip lies inside the file. */
    void requireInside(long offset, long length) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new CorruptDataException("TIFF: expected a tile or strip within the file's " + size
                    + " bytes, found one of " + length + " bytes at byte " + offset + "; is the file complete?");
        }
    }
}
