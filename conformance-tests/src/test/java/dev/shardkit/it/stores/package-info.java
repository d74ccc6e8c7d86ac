/** Arrays in stores with limits: objects that cannot be replaced, few descriptors, shards with foreign margins. */
@NullMarked
package dev.shardkit.it.stores;

import org.jspecify.annotations.NullMarked;
