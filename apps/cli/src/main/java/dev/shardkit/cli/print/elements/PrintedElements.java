package dev.shardkit.cli.print.elements;

import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;

/** A piece of the elements that {@link ElementWriter} prints, in C order. */
interface PrintedElements {
    /** Returns the number of elements. */
    int count();

    /** Returns the text of an element that is printed on a line of its own. Strings have quotes, numbers have none. */
    String text(int i);

    /** Returns the JSON form of an element. */
    Json json(int i);

    /** Writes all elements in the format {@link ElementFormat#RAW}. */
    void writeTo(OutputStream out) throws IOException;
}
