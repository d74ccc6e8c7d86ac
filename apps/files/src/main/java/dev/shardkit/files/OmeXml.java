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
 * Reads the order of the pages of an OME-TIFF file with one image. The order is in the OME XML, a document in the
 * description of the first page. Ignores other metadata. The document may be hostile, so it is parsed as a stream
 * without document types or entities, and its sizes are checked. An instance reads one document.
 */
final class OmeXml {
    private static final int MAX_LENGTH = 1 << 26;
    private static final XMLInputFactory FACTORY = createFactory();

    private final XMLStreamReader reader;
    private final String fileName;
    private final int pages;
    private final int samples;
    /** The planes that the TiffData elements read so far have placed in this file. */
    private final BitSet storedPlanes = new BitSet();
    /** The UUID of this file; empty if the document has none. */
    private String uuid = "";
    /** Whether a TiffData element, which places a block of planes, was read. */
    private boolean hasBlocks;

    private Optional<PageOrder> order = Optional.empty();

    /** Thrown if the document does not describe the pages of this file. The message completes "its OME XML ...". */
    private static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String reason) {
            super(reason);
        }
    }

    private OmeXml(XMLStreamReader reader, String fileName, int pages, int samples) {
        this.reader = reader;
        this.fileName = fileName;
        this.pages = pages;
        this.samples = samples;
    }

    /** Creates the JDK's own parser, regardless of the application's configuration. */
    private static XMLInputFactory createFactory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true); // adjacent texts become one
        return factory;
    }

    /** Returns whether a description looks like OME XML. */
    static boolean isOmeXml(String text) {
        String start = text.substring(0, Math.min(text.length(), 2048)).stripLeading();
        return start.startsWith("<") && start.contains("OME");
    }

    /**
     * Reads the order of the pages of {@code file}.
     *
     * @param text the document
     * @param pages the number of pages in the file
     * @param samples the number of samples of a pixel
     */
    static TiffDescription read(Path file, String text, int pages, int samples) {
        if (text.length() > MAX_LENGTH) {
            return new TiffDescription.Unusable("its OME XML has more than " + MAX_LENGTH + " characters");
        }
        try {
            XMLStreamReader reader;
            synchronized (FACTORY) {
                reader = FACTORY.createXMLStreamReader(new StringReader(text.strip()));
            }
            PageOrder order = new OmeXml(reader, String.valueOf(file.getFileName()), pages, samples).readOrder();
            return new TiffDescription.Pages(order.inArrayOrder());
        } catch (XMLStreamException e) {
            return new TiffDescription.Unusable("its OME XML is not well-formed");
        } catch (UnusableException e) {
            return new TiffDescription.Unusable("its OME XML " + e.getMessage());
        }
    }

    private PageOrder readOrder() throws XMLStreamException, UnusableException {
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw new UnusableException("has a document type or an entity");
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "OME" -> uuid = attribute("UUID").orElse("");
                    case "Pixels" -> readPixels();
                    case "TiffData" -> checkBlock();
                    case "UUID" -> checkFile();
                    default -> {}
                }
            }
        }
        if (order.isEmpty()) {
            throw new UnusableException("describes no image of this file");
        } else if (hasBlocks && storedPlanes.cardinality() != pages) {
            throw new UnusableException(
                    "places " + storedPlanes.cardinality() + " planes in this file of " + pages + " pages");
        }
        return order.get();
    }

    private Optional<String> attribute(String name) {
        return Optional.ofNullable(reader.getAttributeValue(null, name));
    }

    /** Returns an attribute that must be an integer of at least 0. */
    private long nonNegative(String name, long defaultValue) throws UnusableException {
        Optional<String> text = attribute(name);
        try {
            long value =
                    text.isEmpty() ? defaultValue : Long.parseLong(text.get().strip());
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, like a negative number
        }
        throw new UnusableException("has an attribute " + name + " that is not a number of at least 0");
    }

    /** Reads the order and the lengths of the dimensions from the element Pixels, which describes an image. */
    private void readPixels() throws UnusableException {
        if (order.isPresent()) {
            throw new UnusableException("describes several images");
        }
        String dimensions = attribute("DimensionOrder").orElse("");
        if (!dimensions.matches("XY(ZCT|ZTC|CZT|CTZ|TCZ|TZC)")) {
            throw new UnusableException("has no known DimensionOrder");
        }
        List<PageDimension> slowestFirst = new ArrayList<>();
        for (int d = dimensions.length() - 1; d >= 2; d--) {
            String name = dimensions.substring(d, d + 1);
            long length = nonNegative("Size" + name, 0);
            // OME counts each sample of a pixel as a channel, but all samples of a pixel are in one page.
            boolean hasColours = name.equals("C") && samples > 1;
            if (length == 0 || hasColours && length % samples != 0) {
                throw new UnusableException(
                        "has Size" + name + " " + length + " for pixels of " + samples + " samples");
            }
            slowestFirst.add(new PageDimension(name.toLowerCase(Locale.ROOT), hasColours ? length / samples : length));
        }
        order = PageOrder.create(slowestFirst, pages);
        if (order.isEmpty()) {
            throw new UnusableException(
                    "says " + PageOrder.toText(slowestFirst) + ", but the file has " + pages + " pages");
        }
    }

    /**
     * Checks that a TiffData element places planes in the pages that {@link #order} expects: each plane in the page
     * with the same number.
     */
    private void checkBlock() throws UnusableException {
        if (order.isEmpty()) {
            throw new UnusableException("has TiffData outside Pixels");
        }
        hasBlocks = true;
        long plane = 0;
        for (PageOrder.Axis axis : order.get().axes()) {
            long first = nonNegative("First" + axis.name().toUpperCase(Locale.ROOT), 0);
            if (first >= axis.length()) {
                throw new UnusableException("has TiffData of a plane outside the image");
            }
            plane += first * axis.stride();
        }
        long page = nonNegative("IFD", 0); // IFD is the number of a page
        // without IFD and PlaneCount, the element places all planes from the first one on
        boolean isWhole = attribute("IFD").isEmpty() && attribute("PlaneCount").isEmpty();
        long count = nonNegative("PlaneCount", isWhole ? pages - plane : 1);
        if (page != plane || count > pages - plane) {
            throw new UnusableException("has planes that do not follow one another in this file");
        }
        int next = storedPlanes.nextSetBit((int) plane);
        if (next >= 0 && next < plane + count) {
            throw new UnusableException("places two planes in page " + next);
        }
        storedPlanes.set((int) plane, (int) (plane + count));
    }

    /** Checks that the UUID element of a block of planes names this file, because an image may be in several files. */
    private void checkFile() throws XMLStreamException, UnusableException {
        String name = attribute("FileName").orElse("");
        String uuidOfBlock = reader.getElementText().strip();
        boolean isThisFile = uuid.isEmpty() ? name.isEmpty() || name.equals(fileName) : uuidOfBlock.equals(uuid);
        if (!isThisFile) {
            throw new UnusableException("describes planes in other files");
        }
    }
}
