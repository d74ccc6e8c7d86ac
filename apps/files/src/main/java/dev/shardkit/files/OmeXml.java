package dev.shardkit.files;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The OME XML of an OME-TIFF file: the order of the pages of one image. Nothing else is read. The document may be
 * hostile: it is read as a stream, without document types or entities, and no size in it is trusted. Used once.
 */
final class OmeXml {
    private static final int LONGEST = 1 << 26;
    private static final XMLInputFactory FACTORY = factory();

    private final XMLStreamReader reader;
    private final String fileName;
    private final int pages;
    private final int samples;
    private final BitSet stored = new BitSet();
    private String uuid = "";
    private boolean hasBlocks;
    private Optional<PageOrder> order = Optional.empty();

    /** A document that does not describe the pages of this file; the message says why. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String reason) {
            super(reason);
        }
    }

    private OmeXml(XMLStreamReader reader, String fileName, int pages, int samples) {
        this.reader = reader;
        this.fileName = fileName;
        this.pages = pages;
        this.samples = samples;
    }

    /** The JDK's own parser, which needs no configuration of the application. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /** Returns whether a description looks like OME XML. */
    static boolean isOme(String text) {
        String start = text.substring(0, Math.min(text.length(), 2048)).stripLeading();
        return start.startsWith("<") && start.contains("OME");
    }

    /** Reads the order of the pages of {@code file}. */
    static TiffDescription read(Path file, String text, int pages, int samples) {
        if (text.length() > LONGEST) {
            return new TiffDescription.Unusable("its OME XML has more than " + LONGEST + " characters");
        }
        try {
            XMLStreamReader reader;
            synchronized (FACTORY) {
                reader = FACTORY.createXMLStreamReader(new StringReader(text.strip()));
            }
            PageOrder order = new OmeXml(reader, String.valueOf(file.getFileName()), pages, samples).order();
            return new TiffDescription.Pages(order.inArrayOrder());
        } catch (XMLStreamException e) {
            return new TiffDescription.Unusable("its OME XML is not well-formed");
        } catch (Unusable e) {
            return new TiffDescription.Unusable("its OME XML " + e.getMessage());
        }
    }

    private PageOrder order() throws XMLStreamException, Unusable {
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw new Unusable("has a document type or an entity");
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "OME" -> uuid = attribute("UUID").orElse("");
                    case "Pixels" -> pixels();
                    case "TiffData" -> block();
                    case "UUID" -> checkFile();
                    default -> {}
                }
            }
        }
        if (order.isEmpty()) {
            throw new Unusable("describes no image of this file");
        } else if (hasBlocks && stored.cardinality() != pages) {
            throw new Unusable("places " + stored.cardinality() + " planes in this file of " + pages + " pages");
        }
        return order.get();
    }

    private Optional<String> attribute(String name) {
        return Optional.ofNullable(reader.getAttributeValue(null, name));
    }

    private long number(String name, long otherwise) throws Unusable {
        Optional<String> text = attribute(name);
        try {
            long number = text.isEmpty() ? otherwise : Long.parseLong(text.get().strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same failure as a negative number
        }
        throw new Unusable("has an attribute " + name + " that is not a number of at least 0");
    }

    private void pixels() throws Unusable {
        if (order.isPresent()) {
            throw new Unusable("describes several images");
        }
        String dimensions = attribute("DimensionOrder").orElse("");
        if (!dimensions.matches("XY(ZCT|ZTC|CZT|CTZ|TCZ|TZC)")) {
            throw new Unusable("has no known DimensionOrder");
        }
        List<PageDimension> slowestFirst = new ArrayList<>();
        for (int d = dimensions.length() - 1; d >= 2; d--) {
            String name = dimensions.substring(d, d + 1);
            long length = number("Size" + name, 0);
            // a colour counts as a channel, but is not a page
            boolean hasColours = name.equals("C") && samples > 1;
            if (length == 0 || hasColours && length % samples != 0) {
                throw new Unusable("has Size" + name + " " + length + " for pixels of " + samples + " samples");
            }
            slowestFirst.add(new PageDimension(name.toLowerCase(Locale.ROOT), hasColours ? length / samples : length));
        }
        order = PageOrder.of(slowestFirst, pages);
        if (order.isEmpty()) {
            throw new Unusable("says " + PageOrder.text(slowestFirst) + ", but the file has " + pages + " pages");
        }
    }

    /** Checks that consecutive planes lie in the pages of their numbers. */
    private void block() throws Unusable {
        if (order.isEmpty()) {
            throw new Unusable("has TiffData outside Pixels");
        }
        hasBlocks = true;
        long plane = 0;
        for (PageOrder.Axis axis : order.get().axes()) {
            long first = number("First" + axis.name().toUpperCase(Locale.ROOT), 0);
            if (first >= axis.length()) {
                throw new Unusable("has TiffData of a plane outside the image");
            }
            plane += first * axis.stride();
        }
        long page = number("IFD", 0);
        boolean isWhole = attribute("IFD").isEmpty() && attribute("PlaneCount").isEmpty();
        long count = number("PlaneCount", isWhole ? pages - plane : 1);
        if (page != plane || count > pages - plane) {
            throw new Unusable("has planes that do not follow one another in this file");
        }
        int next = stored.nextSetBit((int) plane);
        if (next >= 0 && next < plane + count) {
            throw new Unusable("places two planes in page " + next);
        }
        stored.set((int) plane, (int) (plane + count));
    }

    /** Checks that a block of planes lies in this file. */
    private void checkFile() throws XMLStreamException, Unusable {
        String name = attribute("FileName").orElse("");
        String found = reader.getElementText().strip();
        boolean isThis = uuid.isEmpty() ? name.isEmpty() || name.equals(fileName) : found.equals(uuid);
        if (!isThis) {
            throw new Unusable("describes planes in other files");
        }
    }
}
