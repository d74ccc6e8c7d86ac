package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.internal.Collector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bytes of contents. */
public final class Body {
    private Body() {}

    /**
     * Returns the bytes of a content, which need not be valid later.
     *
     * @param what the operation, for messages
     */
    public static Bytes of(Content content, String what) throws IOException {
        Optional<List<Content.Part>> parts = content.parts();
        Bytes bytes;
        if (parts.isPresent()) {
            List<Bytes> all = new ArrayList<>();
            for (Content.Part part : parts.get()) {
                if (!(part instanceof Content.Part.Literal literal)) {
                    throw new IllegalArgumentException(what + ": the store does not copy ranges of objects");
                }
                all.add(literal.bytes());
            }
            bytes = Bytes.concat(all);
        } else {
            Collector collector = new Collector(content.size());
            content.writeTo(collector);
            bytes = collector.bytes();
        }
        if (bytes.size() != content.size()) {
            throw new StoreException(
                    what + ": expected " + content.size() + " bytes from the content, found " + bytes.size());
        }
        return bytes;
    }
}
