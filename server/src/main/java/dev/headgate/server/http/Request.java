package dev.headgate.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A request, whatever server brought it. */
public interface Request {
    String method();

    /** The path and the query as they were sent, with their percent signs: {@code /v1/jobs?queue=mail}. */
    String target();

    /** The values of a header, in their order; empty if it was not sent. */
    List<String> headers(String name);

    /** The address at the other end of the connection. */
    String remote();

    /** The body, which may come slowly. The server that brings it bounds how slowly. */
    InputStream body() throws IOException;
}
