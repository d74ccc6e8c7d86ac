/** What commands print: messages, results as text and JSON, tables, progress, drawings. Nothing here changes data. */
@NullMarked
package dev.shardkit.cli.print;

import org.jspecify.annotations.NullMarked;
