import java.nio.file.Files;
import java.nio.file.Path;

/** Wine 8 makes no symbolic links of Windows; Windows does in its developer mode, and for administrators. */
public final class SymbolicLinks {
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("links");
        try {
            Files.createSymbolicLink(folder.resolve("link"), Files.createFile(folder.resolve("file")));
            System.out.println(Files.isSymbolicLink(folder.resolve("link")) ? "not shown" : "shown");
        } catch (Exception e) {
            System.out.println("shown");
        }
    }
}
