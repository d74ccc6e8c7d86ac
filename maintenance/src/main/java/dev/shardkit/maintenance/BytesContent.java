package dev.shardkit.maintenance;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Bytes in memory as the content of an object. */
record BytesContent(Bytes bytes) implements Content {
    @Override
    public long size() {
        return bytes.size();
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
        for (ByteBuffer piece : bytes.pieces()) {
            while (piece.hasRemaining()) {
                out.write(piece);
            }
        }
    }
}
