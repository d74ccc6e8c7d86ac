/**
 * Helpers for tests of plans and elements: {@link dev.shardkit.testkit.PlanProbe} runs plans over bytes in memory and
 * counts requests, {@link dev.shardkit.testkit.PoisonedTarget} records which elements were written, and samples make
 * bytes and chunks. The contract suites that plug-in authors extend are in the packages below, by kind of plug-in:
 * {@code dev.shardkit.testkit.extension}, {@code dev.shardkit.testkit.store} and
 * {@code dev.shardkit.testkit.transport}. HTTP servers with faults are in {@code dev.shardkit.testkit.server}.
 * Everything in this module is for tests only.
 */
@NullMarked
package dev.shardkit.testkit;

import org.jspecify.annotations.NullMarked;
