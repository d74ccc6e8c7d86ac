/**
 * Lock files, which exclude writers of other threads and of other processes. Knows no keys: which key a lock belongs to
 * is for the package of the store.
 */
@NullMarked
package dev.shardkit.store.file.lock;

import org.jspecify.annotations.NullMarked;
