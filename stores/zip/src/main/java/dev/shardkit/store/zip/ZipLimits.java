package dev.shardkit.store.zip;

/**
 * What a store accepts of an archive.
 *
 * @param directoryBytes the largest directory, in bytes
 * @param unpackedBytes the largest deflated entry, in bytes when unpacked
 * @param lastOfDuplicates whether the last of several entries of one name counts; otherwise the archive is refused
 */
record ZipLimits(long directoryBytes, long unpackedBytes, boolean lastOfDuplicates) {
    static final ZipLimits DEFAULT = new ZipLimits(128 << 20, 256 << 20, false);
}
