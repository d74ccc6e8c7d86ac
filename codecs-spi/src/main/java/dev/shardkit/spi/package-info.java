/** The plug-in points: one factory interface a kind of extension, and {@link dev.shardkit.spi.Config} to read its configuration. */
@NullMarked
package dev.shardkit.spi;

import org.jspecify.annotations.NullMarked;
