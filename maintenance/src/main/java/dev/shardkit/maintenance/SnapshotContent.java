package dev.shardkit.maintenance;

import dev.shardkit.store.Content;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** An object as the content of another. */
record SnapshotContent(Snapshot object) implements Content {
    @Override
    public long size() {
        return object.size();
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
        object.transferTo(0, object.size(), out);
    }
}
