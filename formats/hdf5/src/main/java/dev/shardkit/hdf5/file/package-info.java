/**
 * The structures of which a file consists: superblock, object headers, B-trees and heaps, with each size, address and
 * checksum checked. What the messages in a header mean is in {@link dev.shardkit.hdf5.message}.
 */
@NullMarked
package dev.shardkit.hdf5.file;

import org.jspecify.annotations.NullMarked;
