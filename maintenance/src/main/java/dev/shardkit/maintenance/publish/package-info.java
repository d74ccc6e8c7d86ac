/**
 * The protocol by which everything that replaces stored nodes publishes its new objects: mark, stage, swap, finish. A
 * {@link dev.shardkit.maintenance.publish.Publication} is the unfinished work at a node: its record, its lock, the
 * marks of its parts, and its description for messages. The packages of each kind of work ({@code copy},
 * {@code concat}, {@code staging}, {@code relayout}) stage objects and swap documents; {@code check} ends interrupted
 * work. {@code AllOrNothing} is the transaction of stores that can publish several objects at once, and the only class
 * that other modules of shardkit use.
 */
@NullMarked
package dev.shardkit.maintenance.publish;

import org.jspecify.annotations.NullMarked;
