/** The transport over the asynchronous core of Apache HttpClient 5, named {@code apache}. */
@NullMarked
package dev.shardkit.transport.apache;

import org.jspecify.annotations.NullMarked;
