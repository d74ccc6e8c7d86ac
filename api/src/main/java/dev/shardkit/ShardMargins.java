package dev.shardkit;

import java.util.Arrays;

/**
 * The header and the footer of a shard: the bytes before its first and after its last inner chunk that belong neither
 * to an inner chunk nor to the index. Unused bytes between inner chunks are not part of them. Immutable.
 *
 * @param header the bytes before the first inner chunk; with {@code index_location: start}, after the index
 * @param footer the bytes after the last inner chunk; with {@code index_location: end}, before the index
 */
public record ShardMargins(byte[] header, byte[] footer) {
    /** Neither header nor footer. */
    public static final ShardMargins NONE = new ShardMargins(new byte[0], new byte[0]);

    /** Copies the arrays. */
    public ShardMargins {
        header = header.clone();
        footer = footer.clone();
    }

    @Override
    public byte[] header() {
        return header.clone();
    }

    @Override
    public byte[] footer() {
        return footer.clone();
    }

    /** Compares the bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ShardMargins m && Arrays.equals(header, m.header) && Arrays.equals(footer, m.footer);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(header) + Arrays.hashCode(footer);
    }

    @Override
    public String toString() {
        return "header of " + header.length + " bytes, footer of " + footer.length + " bytes";
    }
}
