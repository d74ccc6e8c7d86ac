package dev.shardkit.maintenance.copy;

import dev.shardkit.maintenance.Progress;
import dev.shardkit.store.StoreListener;

/** Forwards the progress of the writes of one array to the {@link Progress} of a copy, with the path of the array. */
record ProgressListener(Progress progress, String path) implements StoreListener {
    @Override
    public void onProgress(long done, long total) {
        progress.at(path, done, total);
    }
}
