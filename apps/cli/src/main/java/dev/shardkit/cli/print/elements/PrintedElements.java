package dev.shardkit.cli.print.elements;

import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;

/** Elements in C order, as they are printed. */
interface PrintedElements {
    /** Returns the number of elements. */
    int count();

    /** Returns the text of an element on a line of its own; only text has quotes. */
    String text(int i);

    /** Returns the JSON form of an element. */
    Json json(int i);

    /** Writes all elements little-endian. The size (u32le) precedes each element of variable size. */
    void writeTo(OutputStream out) throws IOException;
}
