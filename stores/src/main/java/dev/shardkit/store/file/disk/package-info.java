/**
 * Files of the operating system: access rights, channels, directories, times and identity of a file, and the names that
 * the store reserves beside objects. Knows no keys, locks or patches.
 */
@NullMarked
package dev.shardkit.store.file.disk;

import org.jspecify.annotations.NullMarked;
