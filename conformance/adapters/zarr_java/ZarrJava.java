import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.zarr.zarrjava.v3.Array;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A batch tool for zarr-java: reads arrays of fixed-size elements. */
final class ZarrJava {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // what the library prints is no answer
        answers.println("{\"protocol\": 1, \"tool\": \"zarr-java\", \"version\": \"" + arguments[0] + "\"}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode question = JSON.readTree(line);
            ObjectNode answer =
                    JSON.createObjectNode().put("id", question.get("id").asText());
            try {
                Array array = Array.open(Path.of(question.get("path").asText()));
                ucar.ma2.Array values = read(array, question.path("selection"));
                Files.write(Path.of(question.get("out").asText()), bytes(values.copyTo1DJavaArray()));
                answer.put("out", question.get("out").asText());
            } catch (Exception | LinkageError | OutOfMemoryError e) {
                answer.putObject("error").put("kind", "other").put("message", e.toString());
            }
            answers.println(JSON.writeValueAsString(answer));
            answers.flush();
        }
    }

    private static ucar.ma2.Array read(Array array, JsonNode box) throws Exception {
        if (box.isMissingNode()) {
            return array.read();
        }
        long[] start = new long[box.size()];
        int[] shape = new int[box.size()];
        for (int i = 0; i < shape.length; i++) {
            start[i] = box.get(i).get(0).asLong();
            shape[i] = Math.toIntExact(box.get(i).get(1).asLong() - start[i]);
        }
        return array.read(start, shape);
    }

    private static byte[] bytes(Object values) {
        int n = java.lang.reflect.Array.getLength(values);
        ByteBuffer out = ByteBuffer.allocate(8 * n).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < n; i++) {
            if (values instanceof boolean[] v) {
                out.put((byte) (v[i] ? 1 : 0));
            } else if (values instanceof byte[] v) {
                out.put(v[i]);
            } else if (values instanceof short[] v) {
                out.putShort(v[i]);
            } else if (values instanceof int[] v) {
                out.putInt(v[i]);
            } else if (values instanceof long[] v) {
                out.putLong(v[i]);
            } else if (values instanceof float[] v) {
                out.putInt(Float.floatToRawIntBits(v[i]));
            } else if (values instanceof double[] v) {
                out.putLong(Double.doubleToRawLongBits(v[i]));
            } else {
                throw new UnsupportedOperationException(values.getClass().getSimpleName());
            }
        }
        return java.util.Arrays.copyOf(out.array(), out.position());
    }
}
