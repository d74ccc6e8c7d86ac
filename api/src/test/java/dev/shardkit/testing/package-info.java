/** What the tests of several modules share: values of arrays, shards taken apart, a log of a store, child processes. */
package dev.shardkit.testing;
