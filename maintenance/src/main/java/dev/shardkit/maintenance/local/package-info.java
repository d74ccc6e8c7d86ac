/**
 * The folders and archives of local files behind stores: whether two locations overlap, which permissions a copy has.
 * Only for this module and for the modules of shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.local;

import org.jspecify.annotations.NullMarked;
