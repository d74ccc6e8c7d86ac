import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jpountz.lz4.LZ4BlockOutputStream;

/** Writes the blocks that n5 for Java writes and tensorstore does not; run by make_n5.py with lz4-java 1.8.0. */
final class N5Blocks {
    private static final int[] SHAPE = {7, 5, 4};
    private static final int[] BLOCK = {4, 3, 3};

    public static void main(String[] args) throws IOException {
        cut(Path.of(args[0], "java", "raw"), "raw");
        cut(Path.of(args[0], "java", "lz4"), "lz4");
        varlength(Path.of(args[0], "java", "varlength"));
    }

    /** Blocks at the edges have only the elements of the array. */
    private static void cut(Path folder, String compression) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("attributes.json"),
                "{\"dimensions\":[7,5,4],\"blockSize\":[4,3,3],\"dataType\":\"uint16\",\"compression\":{\"type\":\""
                        + compression + "\"}}");
        for (int cell = 0; cell < 8; cell++) {
            int[] origin = {cell / 4 * BLOCK[0], cell / 2 % 2 * BLOCK[1], cell % 2 * BLOCK[2]};
            int[] size = new int[3];
            for (int d = 0; d < 3; d++) {
                size[d] = Math.min(BLOCK[d], SHAPE[d] - origin[d]);
            }
            Path file = folder.resolve(cell / 4 + "/" + cell / 2 % 2 + "/" + cell % 2);
            Files.createDirectories(file.getParent());
            write(file, 0, size, elements(origin, size), compression.equals("lz4") ? 1 << 16 : 0);
        }
    }

    private static byte[] elements(int[] origin, int[] size) {
        ByteBuffer out = ByteBuffer.allocate(2 * size[0] * size[1] * size[2]);
        for (int k = 0; k < size[2]; k++) {
            for (int j = 0; j < size[1]; j++) {
                for (int i = 0; i < size[0]; i++) {
                    long at = origin[0] + i + (long) SHAPE[0] * (origin[1] + j + (long) SHAPE[1] * (origin[2] + k));
                    out.putShort((short) (at * 7919 % 60013));
                }
            }
        }
        return out.array();
    }

    /** Blocks of mode varlength that have an element for each position; element i is i / 100. */
    private static void varlength(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("attributes.json"),
                "{\"dimensions\":[5000],\"blockSize\":[4000],\"dataType\":\"uint8\",\"compression\":{\"type\":"
                        + "\"lz4\",\"blockSize\":64}}");
        for (int cell = 0; cell < 2; cell++) {
            byte[] elements = new byte[cell == 0 ? 4000 : 1000];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = (byte) ((cell * 4000 + i) / 100);
            }
            write(folder.resolve("" + cell), 1, new int[] {elements.length}, elements, 64);
        }
    }

    private static void write(Path file, int mode, int[] size, byte[] elements, int lz4) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        DataOutputStream header = new DataOutputStream(block);
        header.writeShort(mode);
        header.writeShort(size.length);
        for (int length : size) {
            header.writeInt(length);
        }
        if (mode == 1) {
            header.writeInt(elements.length);
        }
        try (OutputStream out = lz4 > 0 ? new LZ4BlockOutputStream(block, lz4) : block) {
            out.write(elements);
        }
        Files.write(file, block.toByteArray());
    }
}
