/**
 * Contract suites for HTTP clients of remote stores ({@link dev.shardkit.transport.TransportProvider}): exchanges,
 * bodies that end early, answers cut after each byte, TLS and proxies. Stores that use such a client have suites in
 * {@code dev.shardkit.testkit.store}.
 */
@NullMarked
package dev.shardkit.testkit.transport;

import org.jspecify.annotations.NullMarked;
