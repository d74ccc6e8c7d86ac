/** Tests of the structure: modules, packages, the public API, published jars, and the pages that list them. */
@NullMarked
package dev.shardkit.rules;

import org.jspecify.annotations.NullMarked;
