/** The transport over the JDK's {@link java.net.http.HttpClient}. It needs no further dependency. */
@NullMarked
package dev.shardkit.transport.jdk;

import org.jspecify.annotations.NullMarked;
