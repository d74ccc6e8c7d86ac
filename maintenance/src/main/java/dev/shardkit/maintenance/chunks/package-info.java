/**
 * The stored chunks and objects of one array, as all kinds of maintenance need them: listed, divided into boxes, read,
 * written and copied without decoding. It depends on no other package of maintenance but {@code local}. Only for this
 * module and for the modules of shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.chunks;

import org.jspecify.annotations.NullMarked;
