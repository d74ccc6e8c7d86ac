package dev.shardkit.store.http;

/** Whether ETags tell the versions of an object apart. */
public enum EtagUse {
    /** Equal ETags mean equal objects, and other ETags other objects. The usual case. */
    COMPARE,
    /**
     * ETags are ignored, and not sent back. For several servers behind one name that give the same object different
     * ETags. Then Last-Modified and the size tell versions apart; without Last-Modified an object has no version, and
     * nothing of it is kept from call to call.
     */
    IGNORE
}
