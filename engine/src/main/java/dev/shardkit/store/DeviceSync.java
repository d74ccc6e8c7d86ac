package dev.shardkit.store;

import java.io.IOException;

/** Forces stored objects to the device, as {@code fsync} does for a file. Thread-safe. */
public interface DeviceSync extends Ability {
    /**
     * Forces all objects below {@code prefix} to the device, regardless of the durability they were put with. For many
     * objects this is much cheaper than forcing each one.
     */
    void force(String prefix) throws IOException;
}
