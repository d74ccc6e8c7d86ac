import dev.shardkit.cli.Main;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs commands of shardkit in one process; run by foreign_repositories.py with the jars of the command. Each line of the
 * input has the words of a command, separated by tabs. The answer is the exit status, then standard output and errors,
 * each after its size (numbers of four bytes, big-endian).
 */
final class ManyCommands {
    public static void main(String[] args) throws IOException {
        DataOutputStream answers = new DataOutputStream(System.out);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            answers.writeInt(Main.run(line.split("\t"), InputStream.nullInputStream(), out, err));
            for (ByteArrayOutputStream bytes : new ByteArrayOutputStream[] {out, err}) {
                answers.writeInt(bytes.size());
                bytes.writeTo(answers);
            }
            answers.flush();
        }
    }
}
