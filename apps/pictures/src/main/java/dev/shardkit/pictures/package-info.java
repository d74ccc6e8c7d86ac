/**
 * Makes PNG previews, heat maps and HTML reports of arrays, for people to look at. Files for other programs are in
 * {@code dev.shardkit.files}. {@link dev.shardkit.pictures.Preview} makes PNG pictures,
 * {@link dev.shardkit.pictures.HeatMap} shows how chunks are stored, and {@link dev.shardkit.pictures.Report} writes a
 * page about an array or a tree.
 *
 * <p>It has a PNG writer of its own, because the JDK's needs AWT.
 */
@NullMarked
package dev.shardkit.pictures;

import org.jspecify.annotations.NullMarked;
