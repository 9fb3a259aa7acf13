package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestWriterTest {
    private static String[] write(String method, String url, String body, Map<String, String> fields) {
        HttpJob call = new HttpJob(method, url, null, body, null, null, null, null, null, null);
        return new String(RequestWriter.write(call, fields), StandardCharsets.UTF_8).split("\r\n", -1);
    }

    @Test
    void aRequestNamesTheHostAndTheWholePath() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("X-A", "1");
        fields.put("user-AGENT", "mine");
        assertThat(write("GET", "http://example.com:8080/a%20b/%C3%A4?q=%26&x=1#part", null, fields))
                .containsExactly(
                        "GET /a%20b/%C3%A4?q=%26&x=1 HTTP/1.1",
                        "Host: example.com:8080", "X-A: 1", "user-AGENT: mine", "", "");
    }

    @Test
    void anEmptyPathIsASlash() {
        assertThat(write("HEAD", "https://[::1]?q", null, Map.of()))
                .containsExactly("HEAD /?q HTTP/1.1", "Host: [::1]", "User-Agent: headgate", "", "");
    }

    @Test
    void theLengthOfABodyIsThatOfItsBytes() {
        assertThat(write("POST", "http://example.com/", "☃", Map.of()))
                .containsExactly(
                        "POST / HTTP/1.1", "Host: example.com", "User-Agent: headgate", "Content-Length: 3", "", "☃");
        assertThat(write("DELETE", "http://example.com/", "x", Map.of())).contains("Content-Length: 1");
    }

    /** Without it some servers wait for a body. */
    @Test
    void aPostWithoutABodySaysSo() {
        assertThat(write("POST", "http://example.com/", null, Map.of())).contains("Content-Length: 0");
        assertThat(write("GET", "http://example.com/", null, Map.of()))
                .noneMatch(line -> line.startsWith("Content-Length"));
    }
}
