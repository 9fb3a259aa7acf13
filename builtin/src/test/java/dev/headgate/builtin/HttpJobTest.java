package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.job.UnreadableJsonException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpJobTest {
    private static HttpJob read(String json) {
        return new JsonCodec().read("payload", json, HttpJob.class);
    }

    @Test
    void theMethodFollowsTheBody() {
        assertThat(read("{'url':'https://example.com'}".replace('\'', '"')).method())
                .isEqualTo("GET");
        assertThat(read("{'url':'https://example.com','body':'x'}".replace('\'', '"'))
                        .method())
                .isEqualTo("POST");
    }

    @Test
    void numbersAreStatusesToo() {
        HttpJob job = read("{'url':'https://example.com','expect':[204,'300-304']}".replace('\'', '"'));
        assertThat(job.expected().contains(204)).isTrue();
        assertThat(job.expected().contains(302)).isTrue();
        assertThat(job.expected().contains(200)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                         | url: expected one of at most 8000 characters, got none",
                "{'url':'file:///etc/passwd'}                               | url: expected http:// or https://, got 'file:'",
                "{'url':'example.com'}                                      | got no scheme",
                "{'url':'http:///x'}                                        | url: expected",
                "{'url':'http://ada:hunter2@example.com'}                   | url: expected no user and password in it",
                "{'url':'http://e.com/a b'}                                 | url: expected a well-formed one",
                "{'url':'http://e.com','method':'TRACE'}                    | method: expected one of DELETE, GET",
                "{'url':'http://e.com','headers':{'Host':'x'}}              | header 'Host': expected one of the request",
                "{'url':'http://e.com','headers':{'transfer-encoding':'x'}} | one that the connection sets itself",
                "{'url':'http://e.com','headers':{'A':'hunter2\\r\\nB: 1'}} | header 'A': expected at most 8000 printable",
                "{'url':'http://e.com','headers':{'A\\n':'x'}}              | expected a name of letters, digits and -",
                "{'url':'http://e.com','headers':{'a':'1','A':'2'}}         | expected each name once",
                "{'url':'http://e.com','expect':['2xx']}                    | expected a status such as 404",
                "{'url':'http://e.com','expect':['299-200']}                | expected a status such as 404",
                "{'url':'http://e.com','timeout':'2h'}                      | expected more than zero and at most 1h",
                "{'url':'http://e.com','timeout':'0s'}                      | expected more than zero",
                "{'url':'http://e.com','keepBytes':32769}                   | keepBytes: expected 0 to 32768"
            })
    void whatCannotBeSentIsRefusedWithoutSecrets(String json, String message) {
        assertThatThrownBy(() -> read(json.replace('\'', '"')))
                .isInstanceOf(UnreadableJsonException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aLargeBodyIsRefused() {
        String body = "x".repeat(HttpJob.BODY_BYTES_MAX + 1);
        assertThatThrownBy(() -> new HttpJob(null, "http://e.com", null, body, null, null, null, null, null, null))
                .hasMessageContaining("body: expected at most 196608 bytes, got 196609");
    }

    @Test
    void itsTextHidesWhatMayBeSecret() {
        assertThat(new HttpJob(
                        null,
                        "http://e.com/p?key=1",
                        Map.of("Authorization", "x"),
                        "body",
                        List.of(),
                        null,
                        null,
                        null,
                        null,
                        null))
                .hasToString("POST http://e.com/p");
    }
}
