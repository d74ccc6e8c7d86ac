/** What shells and manual readers get of the command line, made from picocli's model of the commands. */
@NullMarked
package dev.shardkit.cli.shell;

import org.jspecify.annotations.NullMarked;
