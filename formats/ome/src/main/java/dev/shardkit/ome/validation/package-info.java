/**
 * Checks groups and metadata against the specification of their version. Changes nothing. Start at
 * {@link dev.shardkit.ome.validation.OmeValidation}.
 *
 * <p>The package has its own implementation of JSON Schema, for the bundled schemas of the specification. Small
 * libraries for JSON Schema are not named modules, and large ones depend on many jars.
 */
@NullMarked
package dev.shardkit.ome.validation;

import org.jspecify.annotations.NullMarked;
