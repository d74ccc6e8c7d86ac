package dev.shardkit.cli.command;

import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputPlace;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A document of references in a file, or on a stream such as standard output. Immutable.
 *
 * @param file the name of the file; {@code -} for standard output
 */
record ReferenceFile(String file) {
    private Path folder() {
        Path absolute = Path.of(file).toAbsolutePath();
        Path parent = absolute.normalize().getParent();
        return parent == null ? absolute : parent;
    }

    /** Whether the document goes to a stream, so that its folder is unknown. */
    private boolean isStream() {
        return OutputPlace.isStandardOutput(file) || OutputPlace.isStream(Path.of(file));
    }

    /** Returns the URL that the document has for a place: relative to its folder for files below it. */
    String url(URI place) {
        if (!"file".equalsIgnoreCase(place.getScheme())) {
            return place.toString();
        }
        Path target = Path.of(place).normalize();
        return !isStream() && target.startsWith(folder())
                ? folder().relativize(target).toString().replace('\\', '/')
                : target.toUri().toString();
    }

    /** Writes a document of version 1 in one step, and returns the number of its references. */
    long write(Json.Obj document, Output output) throws IOException {
        byte[] text = JsonDocuments.text(document).getBytes(StandardCharsets.UTF_8);
        output.to(file, out -> out.write(text));
        return document.get("refs").orElseThrow() instanceof Json.Obj refs
                ? refs.members().size()
                : 0;
    }

    /** Prints what was written: beside the document, if that is standard output. */
    void tell(String line, Output output) {
        if (OutputPlace.isStandardOutput(file)) {
            output.message(line);
        } else {
            output.line(line);
        }
    }
}
