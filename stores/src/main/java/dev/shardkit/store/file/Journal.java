package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The format of a journal: a head, and behind it, once all else of the patch is on the device, what is overwritten.
 * Big-endian:
 *
 * <pre>
 * head   "SKJ1", kind int, old size long, new size long, text, text, CRC32C of all before it int
 *        text: length int, UTF-8 (the file's identity, its name)
 * redo   "SKJR", length of what follows but the checksum long, writes, CRC32C of all of the redo before it int
 *        write: offset long, length long, bytes
 * </pre>
 *
 * A head that is incomplete or wrong means that the file was not touched; a redo that is, that nothing was overwritten.
 * Nothing here is trusted for its checksum alone: all lengths are compared with what is there.
 *
 * @param head what the patch is
 * @param redo where the redo's writes begin in the journal; empty if there is none
 * @param end where they end
 */
record Journal(Head head, Optional<Long> redo, long end) {
  private static final int MAGIC = 0x534b4a31;
  private static final int REDO = 0x534b4a52;
  private static final int MOST_HEAD = 1 << 14;
  private static final int REDO_HEAD = 12;
  private static final int WRITE_HEAD = 16;
  private static final int PIECE = 1 << 16;

  /** How a patch without a redo is undone. */
  enum Kind {
    /** The file goes back to its old size. */
    UNDO,
    /** The file's last valid index says where it ends. */
    LAST_INDEX,
    /** Not at all. */
    NOT
  }

  /**
   * What a patch is.
   *
   * @param identity tells the file from others that had its name; empty where there is no such thing
   */
  record Head(Kind kind, long oldSize, long newSize, String identity, String name) {
    ByteBuffer bytes() {
      byte[] id = identity.getBytes(StandardCharsets.UTF_8);
      byte[] file = name.getBytes(StandardCharsets.UTF_8);
      ByteBuffer out = ByteBuffer.allocate(36 + id.length + file.length);
      out.putInt(MAGIC).putInt(kind.ordinal()).putLong(oldSize).putLong(newSize);
      out.putInt(id.length).put(id).putInt(file.length).put(file);
      CRC32C crc = new CRC32C();
      crc.update(out.duplicate().flip());
      return out.putInt((int) crc.getValue()).flip();
    }
  }

  /** Something to be overwritten; its bytes lie in the journal. */
  record Write(long at, long offset, long length) {}

  /** What is done with a write. */
  interface Each {
    void accept(Write write) throws IOException;
  }

  /** Writes a redo where {@code journal} stands. */
  static void writeRedo(FileChannel journal, Iterable<Edit.Write> writes) throws IOException {
    CRC32C crc = new CRC32C();
    long length = 0;
    for (Edit.Write w : writes) {
      length = Math.addExact(length, Math.addExact(WRITE_HEAD, w.bytes().size()));
    }
    write(journal, ByteBuffer.allocate(REDO_HEAD).putInt(REDO).putLong(length).flip(), crc);
    for (Edit.Write w : writes) {
      write(journal, ByteBuffer.allocate(WRITE_HEAD).putLong(w.offset()).putLong(w.bytes().size()).flip(), crc);
      for (ByteBuffer piece : w.bytes().pieces()) {
        write(journal, piece, crc);
      }
    }
    Channels.write(journal, ByteBuffer.allocate(4).putInt((int) crc.getValue()).flip());
  }

  private static void write(FileChannel journal, ByteBuffer bytes, CRC32C crc) throws IOException {
    crc.update(bytes.duplicate());
    Channels.write(journal, bytes);
  }

  /** What {@code journal} says; empty if its head is incomplete or wrong. */
  static Optional<Journal> read(FileChannel journal) throws IOException {
    ByteBuffer in = ByteBuffer.allocate((int) Math.min(journal.size(), MOST_HEAD));
    if (!Channels.read(journal, 0, in)) {
      return Optional.empty();
    }
    in.flip();
    Optional<Head> head = head(in);
    if (head.isEmpty()) {
      return Optional.empty();
    }
    long at = in.position();
    Optional<Long> end = redoEnd(journal, at, head.get());
    return Optional.of(new Journal(head.get(), end.map(e -> at + REDO_HEAD), end.orElse(0L)));
  }

  private static Optional<Head> head(ByteBuffer in) {
    if (in.remaining() < 36 || in.getInt() != MAGIC) {
      return Optional.empty();
    }
    int kind = in.getInt();
    long oldSize = in.getLong();
    long newSize = in.getLong();
    Optional<String> identity = text(in);
    Optional<String> name = identity.flatMap(i -> text(in));
    if (name.isEmpty() || in.remaining() < 4) {
      return Optional.empty();
    }
    CRC32C crc = new CRC32C();
    crc.update(in.duplicate().flip());
    boolean valid = in.getInt() == (int) crc.getValue() && kind >= 0 && kind < Kind.values().length && oldSize >= 0
        && newSize >= oldSize;
    return valid
        ? Optional.of(new Head(Kind.values()[kind], oldSize, newSize, identity.get(), name.get())) : Optional.empty();
  }

  private static Optional<String> text(ByteBuffer in) {
    int length = in.remaining() < 4 ? -1 : in.getInt();
    if (length < 0 || length > in.remaining()) {
      return Optional.empty();
    }
    String text = StandardCharsets.UTF_8.decode(in.slice(in.position(), length)).toString();
    in.position(in.position() + length);
    return Optional.of(text);
  }

  /** Where the writes end of the redo at {@code at}; empty if it is incomplete or wrong. */
  private static Optional<Long> redoEnd(FileChannel journal, long at, Head head) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(REDO_HEAD);
    if (!Channels.read(journal, at, in) || in.flip().getInt() != REDO) {
      return Optional.empty();
    }
    long length = in.getLong();
    if (length < 0 || length != journal.size() - at - REDO_HEAD - 4) {
      return Optional.empty();
    }
    long end = at + REDO_HEAD + length;
    CRC32C crc = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    for (long p = at; p < end; p += piece.limit()) {
      piece.clear().limit((int) Math.min(PIECE, end - p));
      if (!Channels.read(journal, p, piece)) {
        return Optional.empty();
      }
      crc.update(piece.flip());
    }
    ByteBuffer sum = ByteBuffer.allocate(4);
    boolean valid = Channels.read(journal, end, sum) && sum.flip().getInt() == (int) crc.getValue()
        && each(journal, at + REDO_HEAD, end, head.oldSize(), w -> {});
    return valid ? Optional.of(end) : Optional.empty();
  }

  /** Does something with each write, in order. */
  void each(FileChannel journal, Each each) throws IOException {
    if (redo.isPresent()) {
      each(journal, redo.get(), end, head.oldSize(), each);
    }
  }

  /** Whether all writes lie within the journal and the file. */
  private static boolean each(FileChannel journal, long from, long end, long size, Each each) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(WRITE_HEAD);
    long at = from;
    while (at < end) {
      in.clear();
      if (end - at < WRITE_HEAD || !Channels.read(journal, at, in)) {
        return false;
      }
      long offset = in.flip().getLong();
      long length = in.getLong();
      at += WRITE_HEAD;
      if (length < 0 || length > end - at || offset < 0 || offset > size - length) {
        return false;
      }
      each.accept(new Write(at, offset, length));
      at += length;
    }
    return true;
  }
}
