/**
 * Reads and writes containers of Azure Blob Storage. What it shares with other clouds is in
 * {@code dev.shardkit.store.cloud}. Add the module and open a location such as {@code az://container/image.zarr}, or
 * start with {@link dev.shardkit.store.azure.AzureStore#builder}. Account and credentials come from Azure's environment
 * variables.
 *
 * <p>Calls the REST API directly; signing is a few lines with the JDK.
 */
@NullMarked
package dev.shardkit.store.azure;

import org.jspecify.annotations.NullMarked;
