package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes the XML and HTML of reports with the JDK's writer, which escapes text. Replaces characters that XML does not
 * allow.
 */
final class XmlOutput {
    private static final int REPLACEMENT = 0xFFFD;

    private final XMLStreamWriter xml;

    private XmlOutput(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /** Writes the content of a document. */
    interface Body {
        void write(XmlOutput markup) throws XMLStreamException;
    }

    static void write(Writer out, Body body) throws IOException {
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            body.write(new XmlOutput(xml));
            xml.flush();
            out.write('\n');
            out.flush();
        } catch (XMLStreamException e) {
            throw e.getNestedException() instanceof IOException io ? io : new IOException(e);
        }
    }

    /** Writes the document's first line. */
    XmlOutput declaration() throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        return this;
    }

    /** Writes the document type of HTML. */
    XmlOutput doctype() throws XMLStreamException {
        xml.writeDTD("<!DOCTYPE html>");
        return this;
    }

    /** Begins an element; attributes are alternating names and values. */
    XmlOutput begin(String name, String... attributes) throws XMLStreamException {
        xml.writeStartElement(name);
        for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute(attributes[i], legal(attributes[i + 1]));
        }
        return this;
    }

    /** Writes text, escaped. */
    XmlOutput text(String text) throws XMLStreamException {
        xml.writeCharacters(legal(text));
        return this;
    }

    /** Ends the last element that was begun, with an end tag even if it is empty. */
    XmlOutput end() throws XMLStreamException {
        xml.writeCharacters("");
        xml.writeEndElement();
        return this;
    }

    /** Writes a line break between elements. */
    XmlOutput line() throws XMLStreamException {
        xml.writeCharacters("\n");
        return this;
    }

    /** Writes an element with text. */
    XmlOutput element(String name, String text, String... attributes) throws XMLStreamException {
        return begin(name, attributes).text(text).end();
    }

    private static String legal(String text) {
        return text.codePoints()
                .map(c -> isLegal(c) ? c : REPLACEMENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isLegal(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || c >= 0x20 && c <= 0xD7FF
                || c >= 0xE000 && c <= 0xFFFD
                || c >= 0x10000;
    }
}
