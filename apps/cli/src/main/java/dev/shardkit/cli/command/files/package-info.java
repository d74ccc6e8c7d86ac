/**
 * The commands that exchange elements with files of other programs: {@code import}, {@code export}; {@code adopt},
 * {@code references} and {@code concat}, which also refer to such files without a copy.
 */
@NullMarked
package dev.shardkit.cli.command.files;

import org.jspecify.annotations.NullMarked;
