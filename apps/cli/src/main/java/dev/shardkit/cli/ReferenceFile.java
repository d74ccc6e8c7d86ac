package dev.shardkit.cli;

import dev.shardkit.files.OutputFile;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A document of references in a file. Immutable. */
record ReferenceFile(Path file) {
    private Path folder() {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    /** Returns the URL that the document has for a place: relative to its folder for files below it. */
    String url(URI place) {
        if (!"file".equalsIgnoreCase(place.getScheme())) {
            return place.toString();
        }
        Path target = Path.of(place).normalize();
        return target.startsWith(folder())
                ? folder().relativize(target).toString().replace('\\', '/')
                : target.toUri().toString();
    }

    /** Writes a document of version 1 in one step, and returns the number of its references. */
    long write(Json.Obj document) throws IOException {
        byte[] text = JsonDocuments.text(document).getBytes(StandardCharsets.UTF_8);
        OutputFile.write(file, out -> out.write(text));
        return document.get("refs").orElseThrow() instanceof Json.Obj refs
                ? refs.members().size()
                : 0;
    }
}
