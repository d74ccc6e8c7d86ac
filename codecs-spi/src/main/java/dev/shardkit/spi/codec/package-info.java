/** Codecs, the chain they form, and the edits that a partial write makes. */
@NullMarked
package dev.shardkit.spi.codec;

import org.jspecify.annotations.NullMarked;
