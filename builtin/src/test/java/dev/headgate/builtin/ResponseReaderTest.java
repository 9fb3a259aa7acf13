package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of the wire belongs to an answer: what is left behind it would be read as the next one. */
class ResponseReaderTest {
    private static final String NEXT = "HTTP/1.1 200 OK";

    private record Read(Response response, String left) {
        String body() {
            return StandardCharsets.UTF_8
                    .decode(response.body().bytes().slice())
                    .toString();
        }
    }

    private static Read read(boolean isHead, int bytesMax, String... lines) throws IOException {
        var in = new ByteArrayInputStream(String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8));
        Response response = new ResponseReader(in, bytesMax).read(isHead);
        return new Read(response, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void anAnswerEndsWithItsLength() throws IOException {
        Read read = read(false, 100, "HTTP/1.1 200 OK", "Content-Length: 5", "", "hello" + NEXT);
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.left()).isEqualTo(NEXT);
        assertThat(read.response().isReusable()).isTrue();
    }

    @Test
    void anAnswerEndsWithItsLastChunkAndTheTrailers() throws IOException {
        Read read = read(
                false, 5, "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "5", "hello", "0", "X: y", "", NEXT);
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.response().body().isCut()).isFalse();
        assertThat(read.left()).isEqualTo(NEXT);
        assertThat(read.response().isReusable()).isTrue();
        assertThat(read.response().headers()).doesNotContainKey("x");
    }

    @Test
    void anAnswerToHeadHasNoBodyWhateverItsLength() throws IOException {
        for (String length : new String[] {"Content-Length: 5", "Transfer-Encoding: chunked"}) {
            Read read = read(true, 100, "HTTP/1.1 200 OK", length, "", NEXT);
            assertThat(read.body()).isEmpty();
            assertThat(read.left()).isEqualTo(NEXT);
            assertThat(read.response().isReusable()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void someStatusesHaveNoBodyWhateverTheirLength(int status) throws IOException {
        Read read = read(false, 100, "HTTP/1.1 " + status + " -", "Content-Length: 5", "", NEXT);
        assertThat(read.response().status()).isEqualTo(status);
        assertThat(read.body()).isEmpty();
        assertThat(read.left()).isEqualTo(NEXT);
    }

    /** In UTF-8 the second byte of this letter is the end of a line to some. */
    @Test
    void theFirstLineMayHoldAnyText() throws IOException {
        Read read = read(false, 100, "HTTP/1.1 404 \u00c5 \u2028", "Content-Length: 0", "", NEXT);
        assertThat(read.response().status()).isEqualTo(404);
        assertThat(read.left()).isEqualTo(NEXT);
    }

    /** Some servers have such for callers that they do not like. */
    @Test
    void aStatusThatNobodyDefinedIsOne() throws IOException {
        assertThat(read(false, 100, "HTTP/1.1 999 -", "Content-Length: 0", "", "")
                        .response()
                        .status())
                .isEqualTo(999);
    }

    @Test
    void interimAnswersAreSkipped() throws IOException {
        Read read = read(
                false,
                100,
                "HTTP/1.1 100 Continue",
                "",
                "HTTP/1.1 103 Early Hints",
                "Link: </a>",
                "",
                "HTTP/1.1 201 Created",
                "Content-Length: 0",
                "",
                NEXT);
        assertThat(read.response().status()).isEqualTo(201);
        assertThat(read.response().headers()).containsOnlyKeys("Content-Length");
        assertThat(read.left()).isEqualTo(NEXT);
    }

    @Test
    void endlessInterimAnswersAreGivenUp() {
        String[] lines = "HTTP/1.1 100 Continue,,".repeat(1_000).split(",", -1);
        assertThatThrownBy(() -> read(false, 100, lines)).isInstanceOf(ProtocolException.class);
    }

    /** Either it says so, or its end is not certain. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.0 200 OK | Content-Length: 5",
                "HTTP/1.1 200 OK | Content-Length: 5~Connection: x, CLOSE",
                "HTTP/1.1 200 OK | Content-Length: 6",
                "HTTP/1.1 200 OK | X: no length",
            })
    void aConnectionIsNotUsedAgainUnlessItsAnswerHasEnded(String status, String headers) throws IOException {
        Read read = read(false, 5, status, headers.replace("~", "\r\n"), "", "hello!");
        assertThat(read.response().isReusable()).isFalse();
        assertThat(read.body()).isEqualTo("hello");
    }

    /** Two proxies on the way may have understood it differently. */
    @Test
    void norIfItHasTwoLengths() throws IOException {
        Read read = read(
                false,
                100,
                "HTTP/1.1 200 OK",
                "Content-Length: 5",
                "Transfer-Encoding: chunked",
                "",
                "5",
                "hello",
                "0",
                "",
                "");
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.response().isReusable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "chunked, gzip", "gzip", "chunked, chunked"})
    void anEncodingThatWasNotAskedForIsRefused(String encoding) {
        assertThatThrownBy(() -> read(
                        false, 100, "HTTP/1.1 200 OK", "Transfer-Encoding: " + encoding, "", "5", "hello", "0", "", ""))
                .isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 099 -\r\n\r\n",
                "HTTP/1.1 200 OK\r\n X: begins with a space\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: no end",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            })
    void whatCannotBeReadIsNoAnswer(String said) {
        assertThatThrownBy(() -> read(false, 100, said)).isInstanceOf(IOException.class);
    }

    @Test
    void aHugeAnswerIsNotKept() throws IOException {
        Read read = read(
                false, 5, "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "fffffffffffffff", "hello and more");
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.response().body().isCut()).isTrue();
        assertThat(read.response().isReusable()).isFalse();
    }
}
