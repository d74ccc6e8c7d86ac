/** Arrays over real stores: files, memory, an HTTP server; several threads, several processes. */
@NullMarked
package dev.shardkit.it;

import org.jspecify.annotations.NullMarked;
