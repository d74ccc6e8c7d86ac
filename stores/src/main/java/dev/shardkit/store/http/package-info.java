/** The HTTP store. */
@NullMarked
package dev.shardkit.store.http;

import org.jspecify.annotations.NullMarked;
