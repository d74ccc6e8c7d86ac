/**
 * Helpers for tests that know nothing of arrays: files, links, threads, rounds. Helpers over the API are in
 * {@code dev.shardkit.testing}, in the tests of the module {@code api}. Not exported.
 */
@NullMarked
package dev.shardkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
