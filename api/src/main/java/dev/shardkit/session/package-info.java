/**
 * What is opened: a store with its options, engine and caches; its nodes, their documents, how long they may be used.
 * Not exported to users.
 */
@NullMarked
package dev.shardkit.session;

import org.jspecify.annotations.NullMarked;
