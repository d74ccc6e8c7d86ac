/**
 * HTTP for remote stores. A {@link dev.shardkit.transport.Transport} sends requests and streams the answers; a
 * {@link dev.shardkit.transport.TransportProvider} makes one from an HTTP client.
 * {@link dev.shardkit.transport.Transports} finds providers and shares one transport between all stores with the same
 * settings.
 */
@NullMarked
package dev.shardkit.transport;

import org.jspecify.annotations.NullMarked;
