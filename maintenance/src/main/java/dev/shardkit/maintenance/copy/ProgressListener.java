package dev.shardkit.maintenance.copy;

import dev.shardkit.maintenance.Progress;
import dev.shardkit.store.StoreListener;

/** Reports the progress of writes of one array. */
record ProgressListener(Progress progress, String path) implements StoreListener {
    @Override
    public void onProgress(long done, long total) {
        progress.at(path, done, total);
    }
}
