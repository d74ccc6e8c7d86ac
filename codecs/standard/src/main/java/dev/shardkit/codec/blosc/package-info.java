/**
 * The {@code blosc} codec: the container of c-blosc 1 with its byte and bit shuffle, in pure Java.
 *
 * <p>Read are all six compressors; written are all but {@code blosclz}.
 */
@NullMarked
package dev.shardkit.codec.blosc;

import org.jspecify.annotations.NullMarked;
