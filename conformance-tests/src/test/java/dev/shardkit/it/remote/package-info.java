/** Arrays behind servers, archives and caches: requests, failures and writers in other processes. */
@NullMarked
package dev.shardkit.it.remote;

import org.jspecify.annotations.NullMarked;
