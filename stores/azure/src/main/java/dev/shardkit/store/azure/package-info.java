/** Azure Blob Storage containers, read and written. Begin with {@link dev.shardkit.store.azure.AzureStore#builder}. */
@NullMarked
package dev.shardkit.store.azure;

import org.jspecify.annotations.NullMarked;
