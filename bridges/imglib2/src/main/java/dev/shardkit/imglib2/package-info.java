/**
 * Arrays as images of <a href="https://imglib.net">ImgLib2</a>, and images written into arrays.
 *
 * <p>Start with {@link dev.shardkit.imglib2.ZarrImage}.
 *
 * <p>It has a cell cache of its own, because {@code imglib2-cache} is not on Maven Central.
 */
@NullMarked
package dev.shardkit.imglib2;

import org.jspecify.annotations.NullMarked;
