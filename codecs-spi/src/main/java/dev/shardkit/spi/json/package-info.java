/**
 * JSON values that keep the text of numbers, so that large integers and decimals survive unchanged. The parser is in
 * the module {@code metadata}.
 */
@NullMarked
package dev.shardkit.spi.json;

import org.jspecify.annotations.NullMarked;
