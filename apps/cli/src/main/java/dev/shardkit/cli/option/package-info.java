/**
 * Values of options and parameters: regions, lengths, shards, codecs, parts. They are parsed and refused here; what
 * they do is in {@code command}.
 */
@NullMarked
package dev.shardkit.cli.option;

import org.jspecify.annotations.NullMarked;
