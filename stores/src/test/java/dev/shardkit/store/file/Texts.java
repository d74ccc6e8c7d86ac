package dev.shardkit.store.file;

import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Short texts as objects. */
public final class Texts {
    private Texts() {}

    public static Content content(String text) {
        return content(text, text.length());
    }

    public static Content content(String text, long size) {
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public void writeTo(WritableByteChannel out) throws IOException {
                out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            }
        };
    }

    public static String read(ObjectSnapshot snapshot) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) snapshot.size());
        snapshot.read(0, all);
        return new String(all.array(), StandardCharsets.US_ASCII);
    }

    static Set<String> names(FileStore store, String prefix) throws IOException {
        Set<String> names = new TreeSet<>();
        store.list(prefix, entry -> names.add(entry.name()));
        return names;
    }

    /** A part of another object. */
    record Moved(ObjectSnapshot from, long offset, long size) implements Content {
        @Override
        public void writeTo(WritableByteChannel out) throws IOException {
            from.transferTo(offset, size, out);
        }
    }
}
