/**
 * What a store is: the plug-in seam for those who keep or fetch bytes. A store is one class and one line in
 * {@code META-INF/services/dev.shardkit.store.StoreFactory}.
 */
@NullMarked
package dev.shardkit.store;

import org.jspecify.annotations.NullMarked;
