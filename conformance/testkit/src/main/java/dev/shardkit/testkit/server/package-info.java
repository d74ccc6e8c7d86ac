/**
 * HTTP servers and proxies for tests, in the tests' process: they serve ranges, count requests, and make faults. They
 * check nothing themselves.
 */
@NullMarked
package dev.shardkit.testkit.server;

import org.jspecify.annotations.NullMarked;
