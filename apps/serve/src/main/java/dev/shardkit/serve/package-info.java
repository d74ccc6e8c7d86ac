/**
 * A read-only HTTP server for a store. Its command line is in {@code dev.shardkit.cli}.
 * {@link dev.shardkit.serve.DataServer} serves its objects to other programs, and shows its arrays to a browser.
 * {@link dev.shardkit.serve.ServerOptions} set the address and the web pages that may read the data.
 */
@NullMarked
package dev.shardkit.serve;

import org.jspecify.annotations.NullMarked;
