package dev.headgate.server.jetty;

import dev.headgate.server.http.Request;
import java.io.InputStream;
import java.util.List;

/** A request that Jetty brought. */
record JettyRequest(org.eclipse.jetty.server.Request request) implements Request {
    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String target() {
        return String.valueOf(request.getHttpURI().getPathQuery());
    }

    @Override
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name);
    }

    @Override
    public String remote() {
        return org.eclipse.jetty.server.Request.getRemoteAddr(request);
    }

    @Override
    public InputStream body() {
        return new PacedStream(org.eclipse.jetty.server.Request.asInputStream(request));
    }
}
