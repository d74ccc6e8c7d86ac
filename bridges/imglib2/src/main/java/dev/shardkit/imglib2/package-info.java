/**
 * Arrays as images of <a href="https://imglib.net">ImgLib2</a>, and images written into arrays.
 *
 * <p>{@link dev.shardkit.imglib2.ZarrImage} is the way in.
 */
@NullMarked
package dev.shardkit.imglib2;

import org.jspecify.annotations.NullMarked;
