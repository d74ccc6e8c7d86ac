package dev.shardkit.hdf5;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The header of an object: its messages (section IV.A). Immutable.
 *
 * @param messages the messages, those of continuations at the end
 */
record ObjectHeader(List<Message> messages) {
    private static final int MAX_MESSAGES = 100_000;
    private static final int SHARED = 2;
    private static final int MUST_UNDERSTAND = 0x80;

    /** The types of messages that this reader knows. */
    enum Type {
        DATASPACE(0x01),
        LINK_INFO(0x02),
        DATATYPE(0x03),
        OLD_FILL(0x04),
        FILL(0x05),
        LINK(0x06),
        EXTERNAL(0x07),
        LAYOUT(0x08),
        FILTERS(0x0b),
        ATTRIBUTE(0x0c),
        CONTINUATION(0x10),
        SYMBOL_TABLE(0x11),
        ATTRIBUTE_INFO(0x15);

        final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /**
     * A message.
     *
     * @param type its number
     * @param flags its flags
     * @param data its bytes
     */
    record Message(int type, int flags, Cursor data) {
        boolean isShared() {
            return (flags & SHARED) != 0;
        }
    }

    private record Block(long address, long length) {}

    static ObjectHeader read(FileBytes file, long address) {
        Reader reader = new Reader(file);
        if (file.at(address, 4, "an object header").u8() == 'O') {
            reader.second(address);
        } else {
            reader.first(address);
        }
        return new ObjectHeader(List.copyOf(reader.messages));
    }

    /** Returns the bytes of a message, those of another object if it is shared. */
    Optional<Cursor> find(FileBytes file, Type type) {
        for (Message message : messages) {
            if (message.type() == type.number) {
                return Optional.of(
                        message.isShared()
                                ? shared(file, message.data().again(), type)
                                : message.data().again());
            }
        }
        return Optional.empty();
    }

    /** Returns all messages of a type. */
    List<Message> all(Type type) {
        return messages.stream().filter(m -> m.type() == type.number).toList();
    }

    /** Follows a shared message, such as a named datatype (section IV.A.2.d). */
    static Cursor shared(FileBytes file, Cursor in, Type type) {
        int version = in.version(1, 3);
        int kind = in.u8();
        if (version == 1) {
            in.skip(6);
        }
        if (version == 3 && kind == 1) {
            throw Hdf5.unsupported("a table of shared messages");
        }
        ObjectHeader other = read(file, in.address());
        for (Message message : other.messages) {
            if (message.type() == type.number && !message.isShared()) {
                return message.data().again();
            }
        }
        throw in.corrupt("a message of type " + type.number + " in the shared object", "none");
    }

    /** Collects the messages of an object. Used once. */
    private static final class Reader {
        private final FileBytes file;
        private final List<Message> messages = new ArrayList<>();
        private final Deque<Block> more = new ArrayDeque<>();
        private final Set<Long> seen = new HashSet<>();

        Reader(FileBytes file) {
            this.file = file;
        }

        private void first(long address) {
            Cursor in = file.at(address, 16, "an object header");
            in.version(1, 1);
            in.skip(7);
            more.add(new Block(address + 16, in.u32()));
            while (!more.isEmpty()) {
                Block block = next();
                Cursor messages = file.at(block.address(), block.length(), "the messages of an object");
                while (messages.left() >= 8) {
                    int type = messages.u16();
                    int size = messages.u16();
                    int flags = messages.u8();
                    messages.skip(3);
                    add(type, flags, messages.part(size, "message " + type));
                }
            }
        }

        private void second(long address) {
            Cursor in = file.upTo(address, 64, "an object header");
            in.signature("OHDR");
            in.version(2, 2);
            int flags = in.u8();
            in.skip((flags & 0x20) == 0 ? 0 : 16).skip((flags & 0x10) == 0 ? 0 : 4);
            long length = in.unsigned(1 << (flags & 3));
            if (length < 0) {
                throw in.corrupt("a size below 2^63", Long.toUnsignedString(length));
            }
            long most = file.size() - in.position();
            Cursor all = file.checked(address, in.position() + Math.min(length, most), "an object header");
            messages(all.skip(in.position()), flags);
            while (!more.isEmpty()) {
                Block block = next();
                String what = "more messages of an object";
                file.at(block.address(), 4, what).signature("OCHK");
                messages(
                        file.checked(block.address(), block.length() - FileBytes.CHECKSUM, what)
                                .skip(4),
                        flags);
            }
        }

        private void messages(Cursor in, int flags) {
            int head = (flags & 4) == 0 ? 4 : 6;
            while (in.left() >= head) {
                int type = in.u8();
                int size = in.u16();
                int how = in.u8();
                in.skip(head - 4L);
                add(type, how, in.part(size, "message " + type));
            }
        }

        private Block next() {
            Block block = more.remove();
            if (!seen.add(block.address())) {
                throw Hdf5.corrupt("the header of an object continues in a circle at address " + block.address());
            }
            return block;
        }

        private void add(int type, int flags, Cursor data) {
            if (messages.size() >= MAX_MESSAGES) {
                throw Hdf5.unsupported("an object of more than " + MAX_MESSAGES + " messages");
            }
            if (type == Type.CONTINUATION.number) {
                more.add(new Block(data.address(), data.length()));
                return;
            }
            if ((flags & MUST_UNDERSTAND) != 0 && type > 0x18) {
                throw Hdf5.unsupported("an object with a message of type " + type);
            }
            messages.add(new Message(type, flags, data));
        }
    }
}
