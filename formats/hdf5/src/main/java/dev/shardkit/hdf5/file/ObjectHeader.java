package dev.shardkit.hdf5.file;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The header of an HDF5 object (a group, dataset or named type): a list of messages, such as its shape or a link (HDF5
 * file format specification, section IV.A). Immutable.
 *
 * @param messages the messages; those of continuation blocks (further parts of the header) are at the end
 */
public record ObjectHeader(List<Message> messages) {
    private static final int MAX_MESSAGES = 100_000;
    /** The flag of a message whose content is in another object, such as a named datatype. */
    private static final int SHARED = 2;
    /** The flag of a message that a reader must understand; if it does not, it must not read the object. */
    private static final int MUST_UNDERSTAND = 0x80;
    /** The largest type of a message in the specification. This reader may ignore messages up to this type. */
    private static final int MAX_KNOWN_TYPE = 0x18;

    /** The types of messages that this reader uses. */
    public enum Type {
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

        public final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /**
     * A message.
     *
     * @param type the number of the type
     * @param flags the flags
     * @param data the content
     */
    public record Message(int type, int flags, Cursor data) {
        /** Returns whether the content is a reference to a message of another object. */
        public boolean isShared() {
            return (flags & SHARED) != 0;
        }
    }

    /** A continuation block: a part of the file with further messages. */
    private record Block(long address, long length) {}

    /** Reads the header at an address, in either version of its format. */
    public static ObjectHeader read(FileBytes file, long address) {
        Reader reader = new Reader(file);
        if (file.read(address, 4, "an object header").u8() == 'O') {
            reader.readVersion2(address);
        } else {
            reader.readVersion1(address);
        }
        return new ObjectHeader(List.copyOf(reader.messages));
    }

    /**
     * Returns the content of the first message of a type. If the message is shared, returns the content from the other
     * object.
     */
    public Optional<Cursor> find(FileBytes file, Type type) {
        for (Message message : messages) {
            if (message.type() == type.number) {
                return Optional.of(
                        message.isShared()
                                ? readShared(file, message.data().duplicate(), type)
                                : message.data().duplicate());
            }
        }
        return Optional.empty();
    }

    /** Returns all messages of a type. */
    public List<Message> allOf(Type type) {
        return messages.stream()
                .filter(message -> message.type() == type.number)
                .toList();
    }

    /** Returns the content of a shared message, such as a named datatype (section IV.A.2.d). */
    public static Cursor readShared(FileBytes file, Cursor cursor, Type type) {
        int version = cursor.version(1, 3);
        int sharedType = cursor.u8();
        if (version == 1) {
            cursor.skip(6); // reserved
        }
        if (version == 3 && sharedType == 1) { // the message is in a heap that all objects of the file share
            throw Hdf5Errors.unsupported("a table of shared messages");
        }
        ObjectHeader sharedObject = read(file, cursor.address());
        for (Message message : sharedObject.messages) {
            if (message.type() == type.number && !message.isShared()) {
                return message.data().duplicate();
            }
        }
        throw cursor.corrupt("a message of type " + type.number + " in the shared object", "none");
    }

    /** Collects the messages of an object. Used once. */
    private static final class Reader {
        private final FileBytes file;
        private final List<Message> messages = new ArrayList<>();
        private final Deque<Block> continuations = new ArrayDeque<>();
        private final Set<Long> visitedAddresses = new HashSet<>();

        Reader(FileBytes file) {
            this.file = file;
        }

        private void readVersion1(long address) {
            Cursor cursor = file.read(address, 16, "an object header");
            cursor.version(1, 1);
            cursor.skip(7); // a reserved byte, the number of messages, and the number of links to this object
            continuations.add(new Block(address + 16, cursor.u32()));
            while (!continuations.isEmpty()) {
                Block block = nextBlock();
                Cursor messageCursor = file.read(block.address(), block.length(), "the messages of an object");
                while (messageCursor.remaining() >= 8) {
                    int type = messageCursor.u16();
                    int size = messageCursor.u16();
                    int flags = messageCursor.u8();
                    messageCursor.skip(3); // reserved
                    addMessage(type, flags, messageCursor.slice(size, "message " + type));
                }
            }
        }

        private void readVersion2(long address) {
            Cursor cursor = file.readUpTo(address, 64, "an object header"); // more than the fields before the messages
            cursor.signature("OHDR");
            cursor.version(2, 2);
            int flags = cursor.u8();
            // Skips four timestamps and two limits for the storage of attributes. Flags say whether they are present.
            cursor.skip((flags & 0x20) == 0 ? 0 : 16).skip((flags & 0x10) == 0 ? 0 : 4);
            long length = cursor.unsigned(1 << (flags & 3));
            if (length < 0) {
                throw cursor.corrupt("a size below 2^63", Long.toUnsignedString(length));
            }
            long maxLength = file.size() - cursor.bytesRead();
            Cursor headerCursor =
                    file.readChecked(address, cursor.bytesRead() + Math.min(length, maxLength), "an object header");
            readMessages(headerCursor.skip(cursor.bytesRead()), flags);
            while (!continuations.isEmpty()) {
                Block block = nextBlock();
                String description = "more messages of an object";
                file.read(block.address(), 4, description).signature("OCHK");
                readMessages(
                        file.readChecked(block.address(), block.length() - FileBytes.CHECKSUM, description)
                                .skip(4),
                        flags);
            }
        }

        /** Reads the messages of a block of version 2. */
        private void readMessages(Cursor cursor, int flags) {
            int headerSize = (flags & 4) == 0 ? 4 : 6; // two more bytes store the order in which messages were created
            while (cursor.remaining() >= headerSize) {
                int type = cursor.u8();
                int size = cursor.u16();
                int messageFlags = cursor.u8();
                cursor.skip(headerSize - 4L);
                addMessage(type, messageFlags, cursor.slice(size, "message " + type));
            }
        }

        private Block nextBlock() {
            Block block = continuations.remove();
            if (!visitedAddresses.add(block.address())) {
                throw Hdf5Errors.corrupt("the header of an object continues in a circle at address " + block.address());
            }
            return block;
        }

        private void addMessage(int type, int flags, Cursor data) {
            if (messages.size() >= MAX_MESSAGES) {
                throw Hdf5Errors.unsupported("an object of more than " + MAX_MESSAGES + " messages");
            }
            if (type == Type.CONTINUATION.number) {
                continuations.add(new Block(data.address(), data.length()));
                return;
            }
            if ((flags & MUST_UNDERSTAND) != 0 && type > MAX_KNOWN_TYPE) {
                throw Hdf5Errors.unsupported("an object with a message of type " + type);
            }
            messages.add(new Message(type, flags, data));
        }
    }
}
