package dev.shardkit.store;

import java.io.IOException;

/** Forces what was written to the device. Thread-safe. */
public interface Forces extends Ability {
    /**
     * Sees to it that all below {@code prefix} is on the device, whatever it was put with. For many objects that matter
     * together it takes far less than to force each as it is put.
     */
    void force(String prefix) throws IOException;
}
