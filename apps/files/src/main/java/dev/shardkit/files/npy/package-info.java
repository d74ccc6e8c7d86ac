/**
 * The headers of npy files, read and written, and the data types of numpy in them. Their elements are not here. Not
 * exported.
 */
@NullMarked
package dev.shardkit.files.npy;

import org.jspecify.annotations.NullMarked;
