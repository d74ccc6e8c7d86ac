/**
 * Parses the structures of a file: superblock, object headers, B-trees and heaps. Checks each size, address and
 * checksum. What the messages in a header mean is in {@code dev.shardkit.hdf5.message}.
 */
@NullMarked
package dev.shardkit.hdf5.file;

import org.jspecify.annotations.NullMarked;
