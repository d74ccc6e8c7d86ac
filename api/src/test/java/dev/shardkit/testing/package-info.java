/**
 * Helpers over the API for the tests of several modules: values of arrays, shards taken apart, a log of a store, child
 * processes. Helpers that know nothing of arrays are in {@code dev.shardkit.testkit.internal}.
 */
package dev.shardkit.testing;
