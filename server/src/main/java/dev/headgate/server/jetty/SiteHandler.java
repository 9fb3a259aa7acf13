package dev.headgate.server.jetty;

import dev.headgate.server.http.Response.Empty;
import dev.headgate.server.http.Response.Streamed;
import dev.headgate.server.http.Response.Whole;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands each request over, on a virtual thread, and sends what comes back. */
final class SiteHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(SiteHandler.class);

    private final Function<dev.headgate.server.http.Request, dev.headgate.server.http.Response> site;

    SiteHandler(Function<dev.headgate.server.http.Request, dev.headgate.server.http.Response> site) {
        this.site = site;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        send(site.apply(new JettyRequest(request)), request, response, callback);
        return true;
    }

    static void send(dev.headgate.server.http.Response answer, Request request, Response response, Callback callback) {
        response.setStatus(answer.status());
        HttpFields.Mutable headers = response.getHeaders();
        answer.headers().forEach(headers::put);
        boolean isHead = request.getMethod().equals("HEAD");
        switch (answer.body()) {
            case Empty nothing -> callback.succeeded();
            case Whole whole -> {
                headers.put(HttpHeader.CONTENT_TYPE, whole.mediaType());
                byte[] bytes = whole.text().getBytes(StandardCharsets.UTF_8);
                headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
                response.write(true, isHead ? null : ByteBuffer.wrap(bytes), callback);
            }
            case Streamed streamed -> {
                headers.put(HttpHeader.CONTENT_TYPE, streamed.mediaType());
                if (isHead) {
                    callback.succeeded();
                } else {
                    stream(streamed, response, callback);
                }
            }
        }
    }

    private static void stream(Streamed streamed, Response response, Callback callback) {
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
            streamed.writer().write(out);
        } catch (IOException gone) {
            callback.failed(gone);
            return;
        } catch (RuntimeException fault) {
            LOG.error("a response broke off", fault);
            callback.failed(fault);
            return;
        }
        callback.succeeded();
    }
}
