/**
 * The data types of the Zarr core specification, {@code string} and {@code bytes}, and the attributes of the CF
 * conventions that say which elements are missing. Other registered types are in the module {@code data-types}.
 *
 * <p>Code uses the constants of {@link dev.shardkit.spi.type.CoreTypes}. Metadata selects types through factories that
 * the service loader finds, as for any other plug-in.
 */
@NullMarked
package dev.shardkit.spi.type;

import org.jspecify.annotations.NullMarked;
