/** What is published: jars, and the list of artifacts in error messages. */
@NullMarked
package dev.shardkit.it.packaging;

import org.jspecify.annotations.NullMarked;
