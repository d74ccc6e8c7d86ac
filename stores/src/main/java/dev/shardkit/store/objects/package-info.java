/**
 * Versions and ranges of objects for stores that lie over other stores, such as archives: one version for the structure
 * and the content of a file, local objects read as remote ones are. Requests to servers are in
 * {@code dev.shardkit.store.remote}.
 */
@NullMarked
package dev.shardkit.store.objects;

import org.jspecify.annotations.NullMarked;
