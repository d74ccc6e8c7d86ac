/**
 * The pixels of PNG and TIFF images, decoded by the JDK's ImageIO page by page. The order of pages is not here. Not
 * exported.
 */
@NullMarked
package dev.shardkit.files.image;

import org.jspecify.annotations.NullMarked;
