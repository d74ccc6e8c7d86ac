package dev.shardkit.store.zip;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/** Builds archives record by record, which may lie. */
final class RawZip {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Item> items = new ArrayList<>();

    /** An entry of the directory; tests change what it claims. */
    static final class Item {
        byte[] name = {};
        int flags;
        int method;
        int needed = 20;
        int crc;
        int packed;
        int size;
        int disk;
        int header;
        byte[] extra = {};
    }

    RawZip add(String name, byte[] bytes) {
        return add(name, bytes, item -> {});
    }

    RawZip add(String name, byte[] bytes, Consumer<Item> lie) {
        return add(name, bytes, bytes.length, 0, lie);
    }

    /** Adds an entry whose local header has an extra field of {@code extra} bytes, at least 4. */
    RawZip addExtended(String name, byte[] bytes, int extra) {
        return add(name, bytes, bytes.length, 0, extra, item -> {});
    }

    /** Adds an entry of packed bytes. */
    RawZip add(String name, byte[] packed, int size, int method, Consumer<Item> lie) {
        return add(name, packed, size, method, 0, lie);
    }

    private RawZip add(String name, byte[] packed, int size, int method, int extra, Consumer<Item> lie) {
        Item item = new Item();
        item.name = name.getBytes(StandardCharsets.UTF_8);
        CRC32 sum = new CRC32();
        sum.update(packed);
        item.crc = (int) sum.getValue();
        item.packed = packed.length;
        item.size = size;
        item.method = method;
        item.header = out.size();
        ByteBuffer local = little(30);
        local.putInt(0x04034b50).putShort((short) 20).putShort((short) 0).putShort((short) method);
        local.putInt(0).putInt(item.crc).putInt(item.packed).putInt(item.size);
        local.putShort((short) item.name.length).putShort((short) extra);
        out.writeBytes(local.array());
        out.writeBytes(item.name);
        if (extra > 0) {
            out.writeBytes(little(extra)
                    .putShort((short) 0xcafe)
                    .putShort((short) (extra - 4))
                    .array());
        }
        out.writeBytes(packed);
        lie.accept(item);
        items.add(item);
        return this;
    }

    /** Adds bytes that belong to no entry. */
    RawZip gap(int size) {
        out.writeBytes(new byte[size]);
        return this;
    }

    /** Adds an entry to the directory alone. */
    RawZip claim(Consumer<Item> lie) {
        Item item = new Item();
        lie.accept(item);
        items.add(item);
        return this;
    }

    byte[] build() {
        return build(end -> {});
    }

    /** The archive, whose end record may lie. */
    byte[] build(Consumer<ByteBuffer> lie) {
        ByteBuffer end = little(22);
        byte[] directory = directory();
        end.putInt(0x06054b50).putInt(0).putShort((short) items.size()).putShort((short) items.size());
        end.putInt(directory.length).putInt(out.size()).putShort((short) 0);
        lie.accept(end);
        return bytes(directory, end);
    }

    /** The archive with records of ZIP64, which may lie: 56 bytes, then the locator's 20, then 22. */
    byte[] buildLarge(Consumer<ByteBuffer> lie) {
        ByteBuffer end = little(98);
        byte[] directory = directory();
        end.putInt(0x06064b50)
                .putLong(44)
                .putShort((short) 45)
                .putShort((short) 45)
                .putInt(0)
                .putInt(0);
        end.putLong(items.size())
                .putLong(items.size())
                .putLong(directory.length)
                .putLong(out.size());
        end.putInt(0x07064b50).putInt(0).putLong(out.size() + directory.length).putInt(1);
        end.putInt(0x06054b50).putInt(0).putShort((short) -1).putShort((short) -1);
        end.putInt(-1).putInt(-1).putShort((short) 0);
        lie.accept(end);
        return bytes(directory, end);
    }

    private byte[] directory() {
        ByteArrayOutputStream directory = new ByteArrayOutputStream();
        for (Item i : items) {
            ByteBuffer entry = little(46);
            entry.putInt(0x02014b50)
                    .putShort((short) 20)
                    .putShort((short) i.needed)
                    .putShort((short) i.flags);
            entry.putShort((short) i.method)
                    .putInt(0)
                    .putInt(i.crc)
                    .putInt(i.packed)
                    .putInt(i.size);
            entry.putShort((short) i.name.length)
                    .putShort((short) i.extra.length)
                    .putShort((short) 0);
            entry.putShort((short) i.disk).putShort((short) 0).putInt(0).putInt(i.header);
            directory.writeBytes(entry.array());
            directory.writeBytes(i.name);
            directory.writeBytes(i.extra);
        }
        return directory.toByteArray();
    }

    private byte[] bytes(byte[] directory, ByteBuffer end) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(out.toByteArray());
        all.writeBytes(directory);
        all.writeBytes(end.array());
        return all.toByteArray();
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
