/**
 * The bzip2 format in plain Java: the codec {@code numcodecs.bz2}, its decoder and its encoder. Its factory is in
 * {@code dev.shardkit.codec.numcodecs}. Not exported.
 */
@NullMarked
package dev.shardkit.codec.bzip2;

import org.jspecify.annotations.NullMarked;
