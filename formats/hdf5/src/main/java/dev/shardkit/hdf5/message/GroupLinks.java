package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.BTree1;
import dev.shardkit.hdf5.file.BTree2;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.FractalHeap;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the links of a group, which are in its header, in a symbol table, or in a heap (HDF5 file format specification,
 * sections III.B to III.D and IV.A.2.g).
 */
public final class GroupLinks {
    private static final int MAX_LINKS = 1_000_000;
    /** The type of a soft link in a message, and in a symbol table. */
    private static final int SOFT = 1;

    private static final int SOFT_IN_TABLE = 2;

    private GroupLinks() {}

    /** A link of a group. */
    public sealed interface Link {
        String name();
    }

    /** A link to an object of the file. */
    public record Hard(String name, long address) implements Link {}

    /** A link to a path of the file. */
    public record Soft(String name, String path) implements Link {}

    /** A link to another file, or a link of a type that a program defines. */
    public record External(String name) implements Link {}

    /** Returns whether an object is a group: it has messages of a group, or no messages of a dataset or named type. */
    public static boolean isGroup(ObjectHeader header) {
        return header.messages().stream()
                        .anyMatch(message -> message.type() == ObjectHeader.Type.SYMBOL_TABLE.number
                                || message.type() == ObjectHeader.Type.LINK_INFO.number
                                || message.type() == ObjectHeader.Type.LINK.number)
                || header.allOf(ObjectHeader.Type.LAYOUT).isEmpty()
                        && header.allOf(ObjectHeader.Type.DATATYPE).isEmpty();
    }

    /** Returns the links of a group. */
    public static List<Link> read(FileBytes file, ObjectHeader header) {
        List<Link> links = new ArrayList<>();
        for (ObjectHeader.Message message : header.allOf(ObjectHeader.Type.LINK)) {
            links.add(readLink(message.data().duplicate()));
        }
        header.find(file, ObjectHeader.Type.LINK_INFO).ifPresent(cursor -> readFromHeap(file, cursor, links));
        header.find(file, ObjectHeader.Type.SYMBOL_TABLE).ifPresent(cursor -> readSymbols(file, cursor, links));
        return links;
    }

    private static void add(List<Link> links, Link link) {
        if (links.size() >= MAX_LINKS) {
            throw Hdf5Errors.unsupported("a group of more than " + MAX_LINKS + " links");
        }
        links.add(link);
    }

    /** Reads links from a heap, which a B-tree lists. */
    private static void readFromHeap(FileBytes file, Cursor cursor, List<Link> links) {
        cursor.version(0, 0);
        int flags = cursor.u8();
        cursor.skip((flags & 1) == 0 ? 0 : 8); // the maximum creation index
        long heapAddress = cursor.address();
        long tree = cursor.address();
        if (heapAddress == Cursor.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.open(file, heapAddress);
        BTree2.visit(file, tree, BTree2.LINKS, 4 + heap.idSize(), record -> {
            record.skip(4); // the hash of the name
            add(links, readLink(heap.readObject(record.slice(heap.idSize(), "the ID of a link"), "a link")));
        });
    }

    /** Reads the message of a link. */
    private static Link readLink(Cursor cursor) {
        cursor.version(1, 1);
        int flags = cursor.u8();
        int type = (flags & 8) == 0 ? 0 : cursor.u8();
        // Skips the creation order and the encoding of the name, if present.
        cursor.skip((flags & 4) == 0 ? 0 : 8).skip((flags & 16) == 0 ? 0 : 1);
        String name = cursor.text(cursor.unsigned(1 << (flags & 3)));
        return switch (type) {
            case 0 -> new Hard(name, cursor.address());
            case SOFT -> new Soft(name, cursor.text(cursor.u16()));
            default -> new External(name);
        };
    }

    /** Reads links from a symbol table: a B-tree of symbol nodes, and a heap of names. */
    private static void readSymbols(FileBytes file, Cursor cursor, List<Link> links) {
        long tree = cursor.address();
        NameHeap heap = NameHeap.open(file, cursor.address());
        BTree1.visitGroup(file, tree, node -> {
            Cursor header = file.read(node, 8, "a node of symbols");
            header.signature("SNOD");
            header.version(1, 1);
            header.skip(1);
            int count = header.u16();
            Cursor entries =
                    file.read(node + 8, count * (24L + 2L * file.widths().offset()), "a node of symbols");
            for (int i = 0; i < count; i++) {
                add(links, readSymbol(entries, heap));
            }
        });
    }

    /** Reads an entry of a symbol node. */
    private static Link readSymbol(Cursor cursor, NameHeap heap) {
        String name = heap.nameAt(cursor.unsigned(cursor.widths().offset()));
        long address = cursor.address();
        long cacheType = cursor.u32();
        cursor.skip(4);
        Cursor scratch = cursor.slice(16, "a symbol"); // of a soft link: the offset of its path in the heap
        return cacheType == SOFT_IN_TABLE ? new Soft(name, heap.nameAt(scratch.u32())) : new Hard(name, address);
    }

    /** A local heap: the names of a group (section III.D). */
    private record NameHeap(Cursor data) {
        static NameHeap open(FileBytes file, long address) {
            Cursor cursor = file.read(
                    address, 8 + 2L * file.widths().length() + file.widths().offset(), "a heap of names");
            cursor.signature("HEAP");
            cursor.version(0, 0);
            cursor.skip(3);
            long size = cursor.length();
            cursor.skip(file.widths().length());
            return new NameHeap(file.read(cursor.address(), size, "a heap of names"));
        }

        String nameAt(long offset) {
            return data.duplicate().skip(offset).zeroTerminatedText(1);
        }
    }
}
