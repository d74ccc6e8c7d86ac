package dev.shardkit.store;

import java.io.IOException;
import java.util.Set;

/**
 * Checks names before anything is stored under them: a file system may not allow a name, or may take two names for one,
 * such as names that differ only in upper and lower case. An operation that stores several nodes asks for each folder
 * first. A store without this ability allows all names and distinguishes them. Thread-safe.
 */
public interface NameChecks extends Ability {
    /**
     * Checks that the store can hold objects below all of these names, and distinguishes the names.
     *
     * @param prefix the key of the folder, which need not exist; empty for the root
     * @param names the names of folders in it
     * @throws IllegalArgumentException if the store cannot hold one of the names
     * @throws dev.shardkit.spi.error.StoreException if the store takes two of them for one, or a path is too long
     */
    void check(String prefix, Set<String> names) throws IOException;
}
