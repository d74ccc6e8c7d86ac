package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.List;

/** Reads the links of a group: in its header, in a symbol table, or in a heap (sections III.B to III.D, IV.A.2.g). */
final class GroupLinks {
    private static final int MAX_LINKS = 1_000_000;
    private static final int SOFT = 1;
    private static final int SOFT_IN_TABLE = 2;

    private GroupLinks() {}

    /** A link of a group. */
    sealed interface Link {
        String name();
    }

    /** A link to an object of the file. */
    record Hard(String name, long address) implements Link {}

    /** A link to a path of the file. */
    record Soft(String name, String path) implements Link {}

    /** A link to another file, or one whose meaning only a program knows. */
    record Outside(String name) implements Link {}

    /** Returns whether an object is a group. */
    static boolean isGroup(ObjectHeader header) {
        return header.messages().stream()
                        .anyMatch(m -> m.type() == ObjectHeader.Type.SYMBOL_TABLE.number
                                || m.type() == ObjectHeader.Type.LINK_INFO.number
                                || m.type() == ObjectHeader.Type.LINK.number)
                || header.all(ObjectHeader.Type.LAYOUT).isEmpty()
                        && header.all(ObjectHeader.Type.DATATYPE).isEmpty();
    }

    static List<Link> of(FileBytes file, ObjectHeader header) {
        List<Link> links = new ArrayList<>();
        for (ObjectHeader.Message message : header.all(ObjectHeader.Type.LINK)) {
            links.add(link(message.data().again()));
        }
        header.find(file, ObjectHeader.Type.LINK_INFO).ifPresent(in -> dense(file, in, links));
        header.find(file, ObjectHeader.Type.SYMBOL_TABLE).ifPresent(in -> symbols(file, in, links));
        return links;
    }

    private static void add(List<Link> links, Link link) {
        if (links.size() >= MAX_LINKS) {
            throw Hdf5.unsupported("a group of more than " + MAX_LINKS + " links");
        }
        links.add(link);
    }

    private static void dense(FileBytes file, Cursor in, List<Link> links) {
        in.version(0, 0);
        int flags = in.u8();
        in.skip((flags & 1) == 0 ? 0 : 8);
        long heapAddress = in.address();
        long tree = in.address();
        if (heapAddress == Cursor.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.at(file, heapAddress);
        BTree2.walk(file, tree, BTree2.LINKS, 4 + heap.idSize(), record -> {
            record.skip(4);
            add(links, link(heap.object(record.part(heap.idSize(), "the ID of a link"), "a link")));
        });
    }

    private static Link link(Cursor in) {
        in.version(1, 1);
        int flags = in.u8();
        int type = (flags & 8) == 0 ? 0 : in.u8();
        in.skip((flags & 4) == 0 ? 0 : 8).skip((flags & 16) == 0 ? 0 : 1);
        String name = in.text(in.unsigned(1 << (flags & 3)));
        return switch (type) {
            case 0 -> new Hard(name, in.address());
            case SOFT -> new Soft(name, in.text(in.u16()));
            default -> new Outside(name);
        };
    }

    private static void symbols(FileBytes file, Cursor in, List<Link> links) {
        long tree = in.address();
        Heap heap = Heap.at(file, in.address());
        BTree1.groups(file, tree, node -> {
            Cursor head = file.at(node, 8, "a node of symbols");
            head.signature("SNOD");
            head.version(1, 1);
            head.skip(1);
            int count = head.u16();
            Cursor entries = file.at(node + 8, count * (24L + 2L * file.widths().offset()), "a node of symbols");
            for (int i = 0; i < count; i++) {
                add(links, symbol(entries, heap));
            }
        });
    }

    private static Link symbol(Cursor in, Heap heap) {
        String name = heap.text(in.unsigned(in.widths().offset()));
        long address = in.address();
        long kind = in.u32();
        in.skip(4);
        Cursor scratch = in.part(16, "a symbol");
        return kind == SOFT_IN_TABLE ? new Soft(name, heap.text(scratch.u32())) : new Hard(name, address);
    }

    /** A local heap: the names of a group (section III.D). */
    private record Heap(Cursor data) {
        static Heap at(FileBytes file, long address) {
            Cursor in = file.at(
                    address, 8 + 2L * file.widths().length() + file.widths().offset(), "a heap of names");
            in.signature("HEAP");
            in.version(0, 0);
            in.skip(3);
            long size = in.length();
            in.skip(file.widths().length());
            return new Heap(file.at(in.address(), size, "a heap of names"));
        }

        String text(long offset) {
            return data.again().skip(offset).name(1);
        }
    }
}
