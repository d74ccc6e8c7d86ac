/**
 * Runs any Zarr v3 implementation over the conformance fixtures, compares the values and reports. Suites for plug-ins
 * of shardkit are in {@code dev.shardkit.testkit}. The contract between the runner and the tool under test, the
 * verdicts and the manifests are described in {@code docs/conformance.md}.
 */
@NullMarked
package dev.shardkit.conformance;

import org.jspecify.annotations.NullMarked;
