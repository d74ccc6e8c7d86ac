/**
 * Arrays and groups for Kotlin: suspending functions, flows, index syntax, properties and a DSL. The functions are in
 * Kotlin; the types that they extend are in {@code dev.shardkit}.
 */
@NullMarked
package dev.shardkit.kotlin;

import org.jspecify.annotations.NullMarked;
