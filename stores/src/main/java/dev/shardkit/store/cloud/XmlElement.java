package dev.shardkit.store.cloud;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of an XML document in a response. Immutable.
 *
 * @param name the name, without a namespace
 * @param text the text directly inside the element
 * @param children the elements directly inside the element
 */
public record XmlElement(String name, String text, List<XmlElement> children) {
    /** Not thread-safe, so it is guarded by its own monitor. */
    private static final XMLInputFactory FACTORY = factory();

    /** The maximum depth of nested elements; the documents of the clouds are much flatter. */
    private static final int DEEPEST = 16;

    /** Returns the JDK's own parser, whatever other parsers the application has. It resolves no external entities. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /** An element whose end has not been read yet. */
    private record Open(String name, StringBuilder text, List<XmlElement> children) {}

    /** Parses a document; empty if it is not well-formed or too deep. */
    public static Optional<XmlElement> parse(byte[] document) {
        try {
            XMLStreamReader reader;
            synchronized (FACTORY) {
                reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
            }
            return root(reader);
        } catch (XMLStreamException e) {
            return Optional.empty();
        }
    }

    private static Optional<XmlElement> root(XMLStreamReader reader) throws XMLStreamException {
        Deque<Open> open = new ArrayDeque<>();
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (open.size() == DEEPEST) {
                    return Optional.empty();
                }
                open.push(new Open(reader.getLocalName(), new StringBuilder(), new ArrayList<>()));
            } else if (event == XMLStreamConstants.CHARACTERS && !open.isEmpty()) {
                open.element().text().append(reader.getText());
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                Open ended = open.pop();
                XmlElement element = new XmlElement(ended.name(), ended.text().toString(), ended.children());
                if (open.isEmpty()) {
                    return Optional.of(element);
                }
                open.element().children().add(element);
            }
        }
        return Optional.empty();
    }

    /** Returns the child elements with this name. */
    public Stream<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name().equals(child));
    }

    /** Returns the text of the first child element with this name; "" if there is none. */
    public String text(String child) {
        return all(child).findFirst().map(XmlElement::text).orElse("");
    }

    /** Escapes a text for a document. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;");
    }
}
