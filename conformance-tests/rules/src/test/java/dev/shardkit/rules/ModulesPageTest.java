package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The picture in {@code docs/modules.md} shows the modules and arrows of the POMs, and each folder has a README. With
 * {@code -Dshardkit.api.update} the test draws the picture anew.
 */
class ModulesPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .getParent()
            .getParent();
    private static final String BEGIN = "```mermaid\n";
    private static final String END = "```\n";

    @Test
    void picture_showsTheModulesOfThePoms() throws Exception {
        Path page = ROOT.resolve("docs/modules.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END, begin);
        String drawn = draw(arrows(modules()));
        if (Boolean.getBoolean("shardkit.api.update")) {
            Files.writeString(page, text.substring(0, begin) + drawn + text.substring(end));
            return;
        }
        assertEquals(drawn, text.substring(begin, end), "draw docs/modules.md anew with -Dshardkit.api.update");
    }

    @Test
    void page_namesEachModule() throws Exception {
        String text = Files.readString(ROOT.resolve("docs/modules.md"));
        for (String module : modules().values()) {
            assertTrue(text.contains("| `" + module + "`"), "docs/modules.md has no row for " + module);
        }
    }

    @Test
    void folder_hasAReadme() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            for (Path folder : files.filter(ModulesPageTest::isOurs).toList()) {
                Path readme = folder.resolve("README.md");
                assertTrue(Files.isRegularFile(readme), "no " + ROOT.relativize(readme));
            }
        }
    }

    @Test
    void arrows_leaveOutWhatOthersImply() {
        Map<String, Set<String>> all = new TreeMap<>(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of()));
        assertEquals(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of()), reduced(all));
    }

    private static boolean isOurs(Path folder) {
        String name = folder.getFileName().toString();
        return Files.isDirectory(folder) && !name.startsWith(".") && !name.equals("target") && !name.equals("docs");
    }

    /** The folder of each module of the build, optional ones included, by its artifact. */
    private static Map<String, String> modules() throws Exception {
        Map<String, String> folders = new TreeMap<>();
        NodeList modules = pom("").getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            String folder = modules.item(i).getTextContent();
            if (!folder.endsWith("bom")) {
                folders.put(child(pom(folder), "artifactId"), folder);
            }
        }
        return folders;
    }

    private static Element pom(String folder) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve(folder).resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    private static String child(Element parent, String name) {
        for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n.getNodeName().equals(name)) {
                return n.getTextContent();
            }
        }
        return "";
    }

    /** The modules that each module needs to be used, by folder. */
    private static Map<String, Set<String>> arrows(Map<String, String> modules) throws Exception {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (String folder : modules.values()) {
            Set<String> needed = new TreeSet<>();
            NodeList dependencies = pom(folder).getElementsByTagName("dependency");
            for (int i = 0; i < dependencies.getLength(); i++) {
                Element dependency = (Element) dependencies.item(i);
                String artifact = child(dependency, "artifactId");
                if (modules.containsKey(artifact)
                        && !child(dependency, "optional").equals("true")
                        && !List.of("test", "provided").contains(child(dependency, "scope"))) {
                    needed.add(modules.get(artifact));
                }
            }
            arrows.put(folder, needed);
        }
        return reduced(arrows);
    }

    /** The same arrows without those that lead where a longer way leads too. */
    private static Map<String, Set<String>> reduced(Map<String, Set<String>> arrows) {
        Map<String, Set<String>> left = new TreeMap<>();
        arrows.forEach((from, all) -> {
            Set<String> direct = new TreeSet<>(all);
            for (String via : all) {
                direct.removeAll(reachable(arrows, via));
            }
            left.put(from, direct);
        });
        return left;
    }

    private static Set<String> reachable(Map<String, Set<String>> arrows, String from) {
        Set<String> found = new TreeSet<>();
        for (String next : arrows.get(from)) {
            found.add(next);
            found.addAll(reachable(arrows, next));
        }
        return found;
    }

    private static String draw(Map<String, Set<String>> arrows) {
        Map<String, List<String>> families = new TreeMap<>();
        for (String folder : arrows.keySet()) {
            families.computeIfAbsent(folder.replaceAll("/.*", ""), f -> new ArrayList<>())
                    .add(folder);
        }
        StringBuilder out = new StringBuilder("graph BT\n");
        families.forEach((family, folders) -> {
            boolean several = folders.size() > 1;
            out.append(several ? "  subgraph " + family + "\n" : "");
            folders.forEach(f -> out.append(several ? "    " : "  ")
                    .append(id(f))
                    .append("[\"")
                    .append(f)
                    .append("\"]\n"));
            out.append(several ? "  end\n" : "");
        });
        arrows.forEach((from, all) -> all.forEach(to ->
                out.append("  ").append(id(from)).append(" --> ").append(id(to)).append('\n')));
        return out.toString();
    }

    private static String id(String folder) {
        return folder.replaceAll("[^a-z0-9]", "_");
    }
}
