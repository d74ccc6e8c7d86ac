/** Arrays whose chunks lie in files or stores elsewhere: documents of references, and composed stores. */
@NullMarked
package dev.shardkit.it.references;

import org.jspecify.annotations.NullMarked;
