package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Writes the entries and the directory of a new archive. Not thread-safe. */
final class ArchiveWriter {
    private static final int BUFFER = 64 << 10;

    private final FileChannel out;
    private final List<PlacedEntry> entries = new ArrayList<>();
    private long end;

    ArchiveWriter(FileChannel out) {
        this.out = out;
    }

    /** Returns an entry in memory, with its offset in the archive. */
    static PlacedEntry document(String name, Bytes bytes, long offset) {
        CRC32 checksum = new CRC32();
        bytes.pieces().forEach(checksum::update);
        int header = ZipRecords.localSize(name.getBytes(StandardCharsets.UTF_8).length, bytes.size());
        return PlacedEntry.stored(name, (int) checksum.getValue(), bytes.size(), offset, header);
    }

    /** Continues at another offset. */
    void moveTo(long offset) {
        end = offset;
    }

    /** Adds an entry in memory. */
    void add(String name, Bytes bytes) throws IOException {
        write(document(name, bytes, end), bytes, 0);
    }

    /** Adds an entry in memory, padded so that the next entry begins at {@code next}. */
    void addLastBefore(long next, String name, Bytes bytes) throws IOException {
        PlacedEntry placed = document(name, bytes, end);
        write(placed, bytes, (int) (next - placed.end()));
    }

    private void write(PlacedEntry placed, Bytes bytes, int padding) throws IOException {
        long offset = ZipRecords.writeAt(out, placed.local(padding), placed.header());
        for (ByteBuffer piece : bytes.pieces()) {
            offset = ZipRecords.writeAt(out, piece, offset);
        }
        entries.add(placed);
        end = offset;
    }

    /** Adds entries that this file already contains before {@code limit}. */
    void addInPlace(List<PlacedEntry> placed, long limit) {
        entries.addAll(placed);
        end = Math.max(end, limit);
    }

    /** Copies an entry of a draft, with its header. */
    void copy(PlacedEntry placed, FileChannel draft) throws IOException {
        out.position(end);
        long remaining = placed.end() - placed.header();
        while (remaining > 0) {
            long count = draft.transferTo(placed.end() - remaining, remaining, out);
            if (count <= 0) {
                throw new CorruptDataException("the unfinished archive ends within " + placed.name());
            }
            remaining -= count;
        }
        entries.add(placed.movedTo(end));
        end += placed.end() - placed.header();
    }

    /** Copies an entry of another archive in its packed form. */
    void copy(ArchiveEntry member, EntrySnapshots.Part packed) throws IOException {
        int header = ZipRecords.localSize(
                member.name().getBytes(StandardCharsets.UTF_8).length, Math.max(member.size(), member.packed()));
        PlacedEntry placed = new PlacedEntry(
                member.name(), member.method(), member.crc(), member.packed(), member.size(), end, header);
        ZipRecords.writeAt(out, placed.local(0), end);
        out.position(placed.start());
        packed.transferTo(0, member.packed(), out);
        entries.add(placed);
        end = placed.end();
    }

    /** Writes the directory and ends the file. */
    void finish(byte[] comment) throws IOException {
        long directoryStart = end;
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        for (PlacedEntry placed : entries) {
            ByteBuffer entry = ZipRecords.central(placed);
            if (entry.remaining() > buffer.remaining()) {
                end = ZipRecords.writeAt(out, buffer.flip(), end);
                buffer.clear();
            }
            if (entry.remaining() > buffer.capacity()) {
                end = ZipRecords.writeAt(out, entry, end);
            } else {
                buffer.put(entry);
            }
        }
        end = ZipRecords.writeAt(out, buffer.flip(), end);
        end = ZipRecords.writeAt(
                out, ZipRecords.end(entries.size(), directoryStart, end - directoryStart, comment), end);
        out.truncate(end);
    }
}
