package dev.shardkit.engine.edit;

import dev.shardkit.spi.error.UnsupportedException;

/** The store refused to patch an object and left it unchanged; see {@link LocalEdit}. */
final class PatchRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PatchRefused(UnsupportedException cause) {
        super(cause);
    }
}
