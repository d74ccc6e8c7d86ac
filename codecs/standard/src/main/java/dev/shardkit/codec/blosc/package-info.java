/**
 * The {@code blosc} codec: the container of c-blosc 1 with its byte and bit shuffle, in pure Java. Blosc2 is in
 * {@code dev.shardkit.blosc2}.
 *
 * <p>It reads the streams of all six compressors, and writes all of them but {@code blosclz}.
 */
@NullMarked
package dev.shardkit.codec.blosc;

import org.jspecify.annotations.NullMarked;
