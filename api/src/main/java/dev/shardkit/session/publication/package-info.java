/**
 * The record of unfinished work at a node, stored before the first new object and deleted after the last. Who writes
 * and resumes such work is in the module {@code maintenance}.
 */
@NullMarked
package dev.shardkit.session.publication;

import org.jspecify.annotations.NullMarked;
