/**
 * Output of commands: messages, results as text and JSON, tables, progress; also the refusals of wrong arguments and
 * output locations. No class here changes data.
 */
@NullMarked
package dev.shardkit.cli.print;

import org.jspecify.annotations.NullMarked;
