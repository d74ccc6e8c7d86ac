package dev.shardkit.cli.command.files;

import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The output file of a document of references: JSON that names, for each chunk of an array, the file and the byte range
 * that contain it. The output may be a stream, such as standard output. Immutable.
 *
 * @param file the name of the file; {@code -} for standard output
 */
record ReferenceFile(String file) {
    private Path folder() {
        Path absolute = Path.of(file).toAbsolutePath();
        Path parent = absolute.normalize().getParent();
        return parent == null ? absolute : parent;
    }

    /** Whether the document is written to a stream and so has no folder. */
    private boolean isStream() {
        return OutputLocationCheck.isStandardOutput(file) || OutputLocationCheck.isStream(Path.of(file));
    }

    /** Returns the URL of a file in the document. It is relative if the file is in the folder of the document. */
    String urlInDocument(URI location) {
        if (!"file".equalsIgnoreCase(location.getScheme())) {
            return location.toString();
        }
        Path target = Path.of(location).normalize();
        return !isStream() && target.startsWith(folder())
                ? folder().relativize(target).toString().replace('\\', '/')
                : target.toUri().toString();
    }

    /** Writes a document of version 1 of the format atomically and returns the number of its references. */
    long write(Json.Obj document, Output output) throws IOException {
        byte[] text = JsonDocuments.text(document).getBytes(StandardCharsets.UTF_8);
        output.writeFile(file, out -> out.write(text));
        return document.get("refs").orElseThrow() instanceof Json.Obj refs
                ? refs.members().size()
                : 0;
    }

    /** Prints a summary. Uses standard error if the document goes to standard output. */
    void printSummary(String summary, Output output) {
        if (OutputLocationCheck.isStandardOutput(file)) {
            output.printMessage(summary);
        } else {
            output.printLine(summary);
        }
    }
}
