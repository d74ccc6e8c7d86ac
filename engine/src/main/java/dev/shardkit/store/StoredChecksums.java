package dev.shardkit.store;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Compares objects with checksums that the store keeps beside them, as a ZIP archive does, and reports damaged ones. It
 * does not return the checksums. Reads of ranges cannot check an object's checksum, so its damage may otherwise stay
 * unnoticed. Blocking. Thread-safe.
 */
public interface StoredChecksums extends Ability {
    /** Returns the number of objects below {@code prefix} (empty for the root) that have a checksum. */
    long count(String prefix) throws IOException;

    /**
     * Reads objects below {@code prefix} entirely and compares them. The objects are numbered from 0 to {@link #count},
     * in an order in which they are read fast. A caller may compare ranges of numbers in parallel.
     *
     * @param first the number of the first object
     * @param end the number after that of the last object
     * @param damaged receives each object that differs or cannot be read
     * @throws IOException if the store fails, so that nothing is known about the remaining objects
     */
    void compare(String prefix, long first, long end, Consumer<Damage> damaged) throws IOException;

    /**
     * An object that does not have its checksum.
     *
     * @param key the object
     * @param size its size in bytes
     * @param expected what should be stored, and where
     * @param found what is stored
     */
    record Damage(String key, long size, String expected, String found) {}
}
