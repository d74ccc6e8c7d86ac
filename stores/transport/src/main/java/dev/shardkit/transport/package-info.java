/**
 * The interface of HTTP clients for remote stores, without Zarr, stores and retries. A
 * {@link dev.shardkit.transport.Transport} sends requests and streams the answers; a
 * {@link dev.shardkit.transport.TransportProvider} makes one from an HTTP client.
 * {@link dev.shardkit.transport.Transports} finds providers and shares one transport between all stores with the same
 * settings.
 *
 * <p>Redirects, retries, cookies and credentials are the store's part. There is no limit on connections: the stores'
 * permits decide.
 */
@NullMarked
package dev.shardkit.transport;

import org.jspecify.annotations.NullMarked;
