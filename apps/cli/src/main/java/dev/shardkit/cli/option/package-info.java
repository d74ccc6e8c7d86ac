/**
 * Values of options and parameters: regions, lengths, shards, codecs, parts. This package parses and checks them; the
 * packages below {@code command} act on them.
 */
@NullMarked
package dev.shardkit.cli.option;

import org.jspecify.annotations.NullMarked;
