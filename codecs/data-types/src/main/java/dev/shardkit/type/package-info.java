/**
 * Registered data types (zarr-extensions, data-types) beyond the core ones: fixed-length text, NumPy's datetimes and
 * durations, small integers and small floating-point numbers.
 *
 * <p>Code uses the constants of {@link dev.shardkit.type.ExtensionTypes}. Metadata selects types through the factories,
 * as for any other plug-in.
 */
@NullMarked
package dev.shardkit.type;

import org.jspecify.annotations.NullMarked;
