/** Elements of arrays as text, JSON and raw bytes, with the option that decodes times. */
@NullMarked
package dev.shardkit.cli.print.elements;

import org.jspecify.annotations.NullMarked;
