package dev.shardkit.store.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What documents mean, and what hostile ones come to. */
@Timeout(300)
class DocumentReaderTest {
    private static References read(String document) {
        return DocumentReader.read(
                JsonDocuments.read(document.replace('\'', '"').replace('`', '\''), Limits.defaults()), "", 100_000);
    }

    private static String shown(References references, String key) {
        Reference found = references.find(key).orElseThrow();
        if (found instanceof Reference.Whole w) {
            return references.targets().get(w.target());
        }
        StringBuilder text = new StringBuilder();
        for (Reference.Piece piece : ((Reference.Pieces) found).pieces()) {
            text.append(text.isEmpty() ? "" : " ++ ")
                    .append(
                            piece instanceof Reference.Part p
                                    ? references.targets().get(p.target()) + " " + p.offset() + " " + p.size()
                                    : "'"
                                            + new String(
                                                    ((Reference.Inline) piece)
                                                            .bytes()
                                                            .toArray(),
                                                    StandardCharsets.UTF_8)
                                            + "'");
        }
        return text.toString();
    }

    @Test
    void version0_allForms() {
        References references = read("{'a':'text','b':'base64:AQID','c':['u'],'d':['u',5,6],'e':{'x':[1]},"
                + "'f':[['u',1,2],'t',['v',0,9,9]]}");
        assertEquals("'text'", shown(references, "a"));
        assertEquals("'\u0001\u0002\u0003'", shown(references, "b"));
        assertEquals("u", shown(references, "c"));
        assertEquals("u 5 6", shown(references, "d"));
        assertTrue(shown(references, "e").contains("\"x\""));
        assertEquals("u 1 2 ++ 't' ++ v 0 9", shown(references, "f"));
        assertEquals(List.of("u", "v"), references.targets());
    }

    /** The example of fsspec's documentation of the format. */
    @Test
    void version1_theExampleOfTheSpecification() {
        References references = read("{'version':1,'templates':{'u':'server.domain/path','f':'{{c}}'},"
                + "'gen':[{'key':'gen_key{{i}}','url':'http://{{u}}_{{i}}','offset':'{{(i + 1) * "
                + "1000}}','length':'1000',"
                + "'dimensions':{'i':{'stop':5}}}],"
                + "'refs':{'key0':'data','key1':['http://target_url',10000,100],'key2':['http://{{u}}',10000,100],"
                + "'key3':['http://{{f(c=`text`)}}',10000,100],'key4':['http://target_url']}}");
        assertEquals("'data'", shown(references, "key0"));
        assertEquals("http://target_url 10000 100", shown(references, "key1"));
        assertEquals("http://server.domain/path 10000 100", shown(references, "key2"));
        assertEquals("http://text 10000 100", shown(references, "key3"));
        assertEquals("http://target_url", shown(references, "key4"));
        for (int i = 0; i < 5; i++) {
            assertEquals(
                    "http://server.domain/path_" + i + " " + (i + 1) * 1000 + " 1000",
                    shown(references, "gen_key" + i));
        }
        assertEquals(10, references.byKey().size());
    }

    /** Names that are asked for one by one: to go through all of them is what would take minutes. */
    private static final class Asked extends AbstractMap<String, Object> {
        @Override
        public Object get(Object name) {
            return name + "!";
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            throw new AssertionError("templates are shared, not copied for each reference");
        }
    }

    @Test
    void gen_asksTheTemplates_behindItsOwnNames() {
        Map<String, String> made = new TreeMap<>();
        String text = "{\"key\":\"{{i}}\",\"url\":\"{{t}}{{i}}\",\"dimensions\":{\"i\":[1,2]}}";
        Json.Obj item = (Json.Obj) JsonReader.read(text.getBytes(StandardCharsets.US_ASCII), Limits.defaults());
        Generator.of(item, new Asked(), new Budget(10)).run((key, reference) -> made.put(key, reference.url()));
        assertEquals(Map.of("1", "t!1", "2", "t!2"), made);
    }

    @Test
    void gen_severalDimensions_areAllCombined() {
        References references = read("{'version':1,'gen':[{'key':'{{v}}/{{i}}.{{j}}','url':'f{{i % 2}}',"
                + "'dimensions':{'v':['a','b'],'i':{'start':4,'stop':0,'step':-2},'j':[7]}}]}");
        assertEquals(
                List.of("a/2.7", "a/4.7", "b/2.7", "b/4.7"),
                List.copyOf(references.byKey().keySet()));
        assertEquals("f0", shown(references, "b/4.7"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "1 + 2 * 3|7",
                "(1 + 2) * 3|9",
                "-7 // 2|-4",
                "-7 % 3|2",
                "- -4|4",
                "'a' ~ 1|a1",
                "'a' + \"b\"|ab",
                "i * 10|50",
                "10 - 3 - 2|5"
            })
    void expressions_haveTheValuesOfJinja(String expression, String value) {
        Template template = Template.of("<{{ " + expression + " }}>");
        assertEquals("<" + value + ">", template.render(new Expression.Scope(Map.of("i", 5L), new Budget(1))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ i.real }}",
                "{{ i[0] }}",
                "{{ i|hex }}",
                "{{ i ** 2 }}",
                "{{ i / 2 }}",
                "{{ [1] }}",
                "{{ 'x' % i if i }}",
                "{% for i in x %}",
                "{# c #}",
                "{{ }}",
                "{{ 1 + }}",
                "{{ f('x') }}",
                "{{ ''.__class__ }}",
                "{{ \"\\x\" }}"
            })
    void expressions_beyondThose_areRefused(String text) {
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> Template.of(text));
        assertTrue(e.getMessage().contains("are not supported"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "[]|expected an object",
                "{'version':2,'refs':{}}|expected version 0 (without a version member) or 1",
                "{'a':[]}|expected a string",
                "{'a':5}|expected a string",
                "{'a':null}|expected a string",
                "{'a':[null,0,1]}|expected a URL",
                "{'a':['u',1]}|found 2 items",
                "{'a':['u',-1,1]}|expected an offset and a length of at least 0",
                "{'a':['u',0,-5]}|expected an offset and a length of at least 0",
                "{'a':['u',9223372036854775807,1]}|below 2^63",
                "{'a':['u',9223372036854775808,1]}|expected an integer of 64 bits",
                "{'a':['u',1.5,1]}|expected an integer of 64 bits",
                "{'a':['u','1','2']}|expected an integer of 64 bits",
                "{'a':'base64:@@'}|expected base64",
                "{'a':[['u',0,9223372036854775807],['u',0,9]]}|less than 2^63 bytes in all",
                "{'../a':'x'}|not a key",
                "{'a//b':'x'}|not a key",
                "{'__target/0':'x'}|__target",
                "{'version':1,'templates':{'u':'{{u}}'},'refs':{'a':['{{u}}']}}|to be called",
                "{'version':1,'templates':{'u':'{{u()}}'},'refs':{'a':['{{u()}}']}}|expected a template with "
                        + "parameters",
                "{'version':1,'templates':{'u':5}}|expected a string",
                "{'version':1,'templates':{'u':'x'},'refs':{'a':['{{v}}']}}|a known name",
                "{'version':1,'templates':{'u':'x'},'refs':{'a':['{{v']}}|expected }}",
                "{'version':1,'gen':{}}|expected a list",
                "{'version':1,'gen':[{'key':'a','url':'b','offset':'1'}]}|both offset and length",
                "{'version':1,'gen':[{'key':'a','url':'b','x':1}]}|expected key, url",
                "{'version':1,'gen':[{'url':'b'}]}|expected a member key",
                "{'version':1,'gen':[{'key':'a{{i}}','url':'b','dimensions':{'i':{'stop':1000000000000}}}]}|at most "
                        + "100000",
                "{'version':1,'gen':[{'key':'a','url':'b','dimensions':{'i':{'stop':4294967296},'j':{'stop':4294967296}}}]}|at most 100000",
                "{'version':1,'gen':[{'key':'a','url':'b','dimensions':{'i':{'start':-9223372036854775807,'stop':9223372036854775807}}}]}|64 bits",
                "{'version':1,'gen':[{'key':'a','url':'b','dimensions':{'i':{'stop':5,'step':0}}}]}|not 0",
                "{'version':1,'gen':[{'key':'a{{i}}','url':'b','offset':'{{1//i}}','length':'1','dimensions':{'i':[0]}}]}|division by zero",
                "{'version':1,'gen':[{'key':'a','url':'b','offset':'x','length':'1'}]}|an integer of 64 bits",
                "{'version':1,'gen':[{'key':'a','url':'b','offset':'{{0-i}}','length':'1','dimensions':{'i':[1]}}]}|at least 0"
            })
    void hostileDocuments_areRefused(String document, String saying) {
        ZarrException e = assertThrows(ZarrException.class, () -> read(document));
        assertTrue(e instanceof MetadataException || e instanceof UnsupportedException, e.toString());
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }

    @Test
    void expressionsThatGrow_areBounded() {
        StringBuilder doubled = new StringBuilder("'x'");
        for (int i = 0; i < 12; i++) {
            doubled.insert(0, "f(c=").append(")");
        }
        String document = "{'version':1,'templates':{'f':'{{c}}{{c}}{{c}}'},'refs':{'a':['{{" + doubled + "}}']}}";
        MetadataException e = assertThrows(
                MetadataException.class, () -> read(document.replace("''", "'").replace("'x'", "`x`")));
        assertTrue(e.getMessage().contains("expected a text of at most"), e.getMessage());
        String work = "{'version':1,'gen':[{'key':'a{{i}}','url':'" + "y".repeat(8000)
                + "{{i}}','dimensions':{'i':{'stop':99999}}}]}";
        e = assertThrows(MetadataException.class, () -> read(work));
        assertTrue(e.getMessage().contains("characters in all"), e.getMessage());
        Budget budget = new Budget(100_000);
        long spent = 0;
        for (; spent < 1L << 30 && isLeft(budget); spent += 1 << 20) {
            assertTrue(spent < 64L << 20, "a document may make so much: " + spent);
        }
        String deep = "{'version':1,'templates':{'u':'x'},'refs':{'a':['{{" + "(".repeat(60) + "1" + ")".repeat(60)
                + "}}']}}";
        assertThrows(MetadataException.class, () -> read(deep));
    }

    private static boolean isLeft(Budget budget) {
        try {
            budget.spend(1 << 20);
            return true;
        } catch (MetadataException e) {
            return false;
        }
    }
}
