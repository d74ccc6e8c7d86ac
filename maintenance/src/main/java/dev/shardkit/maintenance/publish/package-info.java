/**
 * The protocol by which everything that replaces stored nodes publishes its new objects: mark, stage, swap, finish. A
 * {@link dev.shardkit.maintenance.publish.Publication} is the unfinished work at a node: its record, its lock, the
 * marks of its parts, and the text that names it. What is staged and how documents are swapped is in the packages of
 * the work ({@code copy}, {@code concat}, {@code staging}, {@code relayout}); {@code check} ends what was interrupted.
 */
@NullMarked
package dev.shardkit.maintenance.publish;

import org.jspecify.annotations.NullMarked;
