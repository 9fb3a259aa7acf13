package dev.headgate.builtin;

import java.net.URI;

/**
 * Where a request goes.
 *
 * @param host a name in lower case without a dot at its end, or an address without brackets
 */
record Origin(boolean isTls, String host, int port) {
    private static final int PLAIN_PORT = 80;
    private static final int TLS_PORT = 443;

    static Origin of(URI uri) {
        boolean isTls = "https".equalsIgnoreCase(uri.getScheme());
        return new Origin(isTls, HostRules.plain(uri.getHost()), uri.getPort() < 0 ? usualPort(isTls) : uri.getPort());
    }

    static int usualPort(boolean isTls) {
        return isTls ? TLS_PORT : PLAIN_PORT;
    }

    /** As written in an option: only unusual parts are shown. */
    @Override
    public String toString() {
        return (isTls ? "" : "http://")
                + (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + (port == usualPort(isTls) ? "" : ":" + port);
    }
}
