/**
 * The commands that check stored arrays, and that change how they are stored but not what they hold: {@code verify},
 * {@code repair}, {@code compact}, {@code advise}, {@code shard}, {@code unshard}, {@code reshard}, {@code aggregate}.
 */
@NullMarked
package dev.shardkit.cli.command.maintain;

import org.jspecify.annotations.NullMarked;
