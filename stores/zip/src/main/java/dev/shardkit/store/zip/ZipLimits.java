package dev.shardkit.store.zip;

/**
 * The limits on archives that a store reads.
 *
 * @param directoryBytes the largest directory, in bytes
 * @param unpackedBytes the largest deflated entry, in bytes when unpacked
 * @param lastOfDuplicates whether the last of several entries with one name is used; otherwise the archive is refused
 */
record ZipLimits(long directoryBytes, long unpackedBytes, boolean lastOfDuplicates) {
    static final ZipLimits DEFAULT = new ZipLimits(128 << 20, 256 << 20, false);
}
